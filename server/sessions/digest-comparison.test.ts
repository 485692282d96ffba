/** Replicas that differ, as they never should, notice it and heal (D7). */
import { describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import { fastClock, textOf, type, type FixtureWindow, SessionFixture } from './fixtures/session-fixture.ts'
import { waitUntil } from '../../lib/fixtures/wait.ts'

/** Two windows whose time runs fast, and the same text in both. */
async function openTwoWindows(fixture: SessionFixture): Promise<[FixtureWindow, FixtureWindow]> {
  const [ada, bob] = [
    fixture.openWindow('ada', { clock: fastClock }),
    fixture.openWindow('bob', { clock: fastClock }),
  ]
  await Promise.all([ada.whenSynced, bob.whenSynced])
  type(ada, 'Hello')
  await waitUntil(() => textOf(bob) === 'Hello')
  return [ada, bob]
}

const countSent = ({ network }: FixtureWindow, type: 'attach' | 'digest'): number =>
  network.clientMessageTypes.filter((sent) => sent === type).length

const hasSameState = (one: Pick<FixtureWindow, 'doc'>, other: Pick<FixtureWindow, 'doc'>): boolean =>
  Y.equalSnapshots(Y.snapshot(one.doc), Y.snapshot(other.doc))

describe('[D7] in a quiet document both ends compare a digest', () => {
  test('equal replicas exchange nothing more', async () => {
    const fixture = await SessionFixture.open()
    const [ada, bob] = await openTwoWindows(fixture)
    ada.doc.getText('title').delete(1, 2)
    ada.doc.getText('title').format(0, 1, { bold: true })
    await waitUntil(() => [ada, bob].every((window) => countSent(window, 'digest') >= 2))
    expect([countSent(ada, 'attach'), countSent(bob, 'attach')]).toEqual([1, 1])
  })

  test('a change that never arrived is sent again, and so is a deletion', async () => {
    const fixture = await SessionFixture.open()
    const [ada, bob] = await openTwoWindows(fixture)
    bob.network.emptyNext.change = 2
    type(ada, '!')
    await ada.whenSaved()
    ada.doc.getText('title').delete(0, 1)
    await ada.whenSaved()
    await waitUntil(() => bob.network.emptyNext.change === 0)
    expect(textOf(bob)).toBe('Hello')
    await waitUntil(() => textOf(bob) === 'ello!')
    expect([hasSameState(ada, bob), countSent(bob, 'attach'), countSent(ada, 'attach')]).toEqual([true, 2, 1])
  })

  test('an edit that reached the server with other content is sent again, and so is a deletion', async () => {
    const fixture = await SessionFixture.open()
    const [ada, bob] = await openTwoWindows(fixture)
    ada.network.emptyNext.edit = 1
    ada.doc.getText('title').delete(0, 1)
    await ada.whenSaved() // a fault that no number shows
    expect(textOf(bob)).toBe('Hello')
    await waitUntil(() => textOf(bob) === 'ello')
    ada.network.emptyNext.edit = 1
    type(ada, '!')
    await ada.whenSaved()
    await waitUntil(() => textOf(bob) === 'ello!')
    expect(hasSameState({ doc: await fixture.readStored() }, ada)).toBe(true)
  })

  test('structs that wait more than 5 s for what they build on are healed', async () => {
    const fixture = await SessionFixture.open()
    const [ada, bob] = await openTwoWindows(fixture)
    bob.network.emptyNext.change = 1
    type(ada, 'lost ')
    await ada.whenSaved()
    await waitUntil(() => bob.network.emptyNext.change === 0)
    type(ada, 'found')
    await waitUntil(() => bob.doc.store.pendingStructs !== null)
    await waitUntil(() => textOf(bob) === 'Hellolost found')
    expect([bob.doc.store.pendingStructs, countSent(bob, 'attach')]).toEqual([null, 2])
  })

  test('the formatting that Yjs cleans up in a reader’s window makes no difference', async () => {
    const fixture = await SessionFixture.open()
    const [ada] = await openTwoWindows(fixture)
    const eve = fixture.openWindow('eve', { clock: fastClock, role: 'viewer' })
    const bob = fixture.openWindow('bob', { clock: fastClock })
    await Promise.all([eve.whenSynced, bob.whenSynced])
    for (const { network } of [ada, bob]) network.offline()
    for (const { doc } of [ada, bob]) doc.getText('title').format(0, 4, { bold: true })
    for (const { network } of [ada, bob]) network.online()
    await Promise.all([ada.whenSaved(), bob.whenSaved()])
    const before = countSent(eve, 'digest')
    await waitUntil(() => countSent(eve, 'digest') >= before + 2)
    expect(countSent(eve, 'attach')).toBe(1)
  })

  test('nothing is compared while something is unsaved, or on its way to a window', async () => {
    const fixture = await SessionFixture.open()
    const [ada, bob] = await openTwoWindows(fixture)
    await waitUntil(() => countSent(ada, 'digest') > 0 && countSent(bob, 'digest') > 0)
    const before = countSent(ada, 'digest')
    fixture.store.hold()
    type(ada, 'held')
    // Bob does not know of the edit and asks, but gets no answer: the server's own text runs ahead of its disk.
    const asked = countSent(bob, 'digest')
    await waitUntil(() => countSent(bob, 'digest') > asked + 1)
    expect([countSent(ada, 'digest'), countSent(bob, 'attach')]).toEqual([before, 1])
    fixture.store.release()
    await ada.whenSaved()
    await waitUntil(() => textOf(bob) === 'Helloheld')
  })
})
