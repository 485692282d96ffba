/** D7: replicas that came to differ, as nothing here should make them, find out and heal. */
import { describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import { hastyClock, textOf, type, until, type Window, World } from './fixtures/world.ts'

/** Two windows whose time runs fast, and the same text in both. */
async function two(world: World): Promise<[Window, Window]> {
  const [ada, bob] = [world.window('ada', { clock: hastyClock }), world.window('bob', { clock: hastyClock })]
  await Promise.all([ada.whenSynced, bob.whenSynced])
  type(ada, 'Hello')
  await until(() => textOf(bob) === 'Hello')
  return [ada, bob]
}

const counted = ({ network }: Window, type: 'attach' | 'digest'): number =>
  network.said.filter((said) => said === type).length

const same = (one: Pick<Window, 'doc'>, other: Pick<Window, 'doc'>): boolean =>
  Y.equalSnapshots(Y.snapshot(one.doc), Y.snapshot(other.doc))

describe('[D7] at rest both ends compare a digest', () => {
  test('of replicas that are the same nothing more is said', async () => {
    const world = await World.open()
    const [ada, bob] = await two(world)
    ada.doc.getText('title').delete(1, 2)
    ada.doc.getText('title').format(0, 1, { bold: true })
    await until(() => [ada, bob].every((window) => counted(window, 'digest') >= 2))
    expect([counted(ada, 'attach'), counted(bob, 'attach')]).toEqual([1, 1])
  })

  test('a change that never came is sent again, a deletion like a letter', async () => {
    const world = await World.open()
    const [ada, bob] = await two(world)
    bob.network.lose.change = 2
    type(ada, '!')
    await ada.whenSaved()
    ada.doc.getText('title').delete(0, 1)
    await ada.whenSaved()
    await until(() => bob.network.lose.change === 0)
    expect(textOf(bob)).toBe('Hello')
    await until(() => textOf(bob) === 'ello!')
    expect([same(ada, bob), counted(bob, 'attach'), counted(ada, 'attach')]).toEqual([true, 2, 1])
  })

  test('an edit that the server took for another is offered again, a deletion like a letter', async () => {
    const world = await World.open()
    const [ada, bob] = await two(world)
    ada.network.lose.edit = 1
    ada.doc.getText('title').delete(0, 1)
    await ada.whenSaved() // a lie that no number shows
    expect(textOf(bob)).toBe('Hello')
    await until(() => textOf(bob) === 'ello')
    ada.network.lose.edit = 1
    type(ada, '!')
    await ada.whenSaved()
    await until(() => textOf(bob) === 'ello!')
    expect(same({ doc: await world.stored() }, ada)).toBe(true)
  })

  test('structs that wait for more than 5 s for what they build on are healed', async () => {
    const world = await World.open()
    const [ada, bob] = await two(world)
    bob.network.lose.change = 1
    type(ada, 'lost ')
    await ada.whenSaved()
    await until(() => bob.network.lose.change === 0)
    type(ada, 'found')
    await until(() => bob.doc.store.pendingStructs !== null)
    await until(() => textOf(bob) === 'Hellolost found')
    expect([bob.doc.store.pendingStructs, counted(bob, 'attach')]).toEqual([null, 2])
  })

  test('what Yjs tidies up in a reader’s window makes no difference', async () => {
    const world = await World.open()
    const [ada] = await two(world)
    const eve = world.window('eve', { clock: hastyClock, role: 'viewer' })
    const bob = world.window('bob', { clock: hastyClock })
    await Promise.all([eve.whenSynced, bob.whenSynced])
    for (const { network } of [ada, bob]) network.offline()
    for (const { doc } of [ada, bob]) doc.getText('title').format(0, 4, { bold: true })
    for (const { network } of [ada, bob]) network.online()
    await Promise.all([ada.whenSaved(), bob.whenSaved()])
    const before = counted(eve, 'digest')
    await until(() => counted(eve, 'digest') >= before + 2)
    expect(counted(eve, 'attach')).toBe(1)
  })

  test('nothing is compared while something is unsaved, or on its way to a window', async () => {
    const world = await World.open()
    const [ada, bob] = await two(world)
    await until(() => counted(ada, 'digest') > 0 && counted(bob, 'digest') > 0)
    const before = counted(ada, 'digest')
    world.store.hold()
    type(ada, 'held')
    // Bob, who knows nothing of it, asks and is not answered: the server's own text runs ahead of its disk.
    const asked = counted(bob, 'digest')
    await until(() => counted(bob, 'digest') > asked + 1)
    expect([counted(ada, 'digest'), counted(bob, 'attach')]).toEqual([before, 1])
    world.store.release()
    await ada.whenSaved()
    await until(() => textOf(bob) === 'Helloheld')
  })
})
