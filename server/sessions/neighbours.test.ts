/** W2: windows of one browser hear each other at once, and by the server. */
import { describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import { openOwnWindow } from '../../lib/sync/window-id.ts'
import { Browser } from '../../lib/sync/fixtures/browser.ts'
import { hastyClock, textOf, type, until, type Window, type WindowOptions, World } from './fixtures/world.ts'

/** Windows of one browser, each of which has met the others. */
async function neighbours(
  world: World,
  count: number,
  browser = new Browser(),
  options: WindowOptions = {},
): Promise<Window[]> {
  const windows = Array.from({ length: count }, () => world.window('ada', { browser, ...options }))
  await Promise.all(windows.map(({ whenSynced }) => whenSynced))
  await until(() => browser.greetings === (count * (count - 1)) / 2)
  return windows
}

const greetings = (browser: Browser, type: string): number =>
  browser.channels.posted.filter((said) => (said as { type: string }).type === type).length

const editsOf = ({ network }: Window): number => network.said.filter((type) => type === 'edit').length

/** How often Yjs found something new in a document. */
function newsIn({ doc }: Window): () => number {
  let count = 0
  doc.on('update', () => (count += 1))
  return () => count
}

const unsaved = ({ status }: Window): number => status.get().unsaved

describe('[W2] windows of one browser', () => {
  test('hear each other at once, also while the server hears nothing', async () => {
    const world = await World.open()
    const [ada, own] = (await neighbours(world, 2)) as [Window, Window]
    const bob = world.window('bob')
    await bob.whenSynced
    ada.network.offline()
    type(ada, 'Hello')
    await until(() => textOf(own) === 'Hello')
    expect(textOf(bob)).toBe('')
  })

  test('and by the server: nothing is sent twice, and nothing is new twice', async () => {
    const world = await World.open()
    const [ada, own, third] = (await neighbours(world, 3)) as [Window, Window, Window]
    const bob = world.window('bob')
    await bob.whenSynced
    const news = [own, third, bob].map(newsIn)
    for (const letter of 'typing') {
      type(ada, letter)
      await ada.whenSaved()
    }
    await until(() => textOf(bob) === 'typing')
    bob.awareness.setLocalState({}) // said behind the last edit
    await until(() => [own, third].every(({ awareness }) => awareness.getStates().has(bob.doc.clientID)))
    expect([ada, own, third].map(editsOf)).toEqual([6, 0, 0])
    expect(news.map((count) => count())).toEqual([6, 6, 6])
    expect((await world.store.load(world.document, 'body')).logLength).toBe(6)
  })

  test('of formatting that Yjs would tidy up each keeps the same, and only its author sends', async () => {
    const world = await World.open()
    const [ada, own] = (await neighbours(world, 2)) as [Window, Window]
    type(ada, 'bold twice')
    await ada.whenSaved()
    ada.network.offline()
    own.network.offline()
    for (const { doc } of [ada, own]) doc.getText('title').format(0, 4, { bold: true })
    ada.doc.getText('title').format(2, 4, { bold: null })
    await until(() => Y.equalSnapshots(Y.snapshot(ada.doc), Y.snapshot(own.doc)))
    ada.network.online()
    own.network.online()
    await Promise.all([ada.whenSaved(), own.whenSaved()])
    expect(Y.equalSnapshots(Y.snapshot(await world.stored()), Y.snapshot(own.doc))).toBe(true)
  })

  test('a newcomer is shown what the server does not have, once, deletions too', async () => {
    const world = await World.open()
    const browser = new Browser()
    const [ada, own] = (await neighbours(world, 2, browser)) as [Window, Window]
    type(ada, 'abc')
    await ada.whenSaved()
    ada.network.offline()
    ada.doc.getText('title').delete(1, 1)
    const late = world.window('ada', { browser })
    await late.whenSynced
    await until(() => textOf(late) === 'ac' && textOf(own) === 'ac')
    expect(greetings(browser, 'state')).toBe(1)
    expect(unsaved(late)).toBe(1)
  })

  test('windows that lost their right tell each other no more', async () => {
    const world = await World.open()
    const browser = new Browser()
    const [ada, own] = (await neighbours(world, 2, browser)) as [Window, Window]
    world.grant(ada, null)
    await until(() => [ada, own].every(({ status }) => status.get().document.state === 'refused'))
    type(ada, 'private')
    expect(greetings(browser, 'edit')).toBe(0)
  })

  test('of another person neither hear nor send what the first has not got through', async () => {
    const world = await World.open()
    const browser = new Browser()
    const [ada] = (await neighbours(world, 1, browser)) as [Window]
    ada.network.offline()
    type(ada, 'mine')
    const eve = world.window('eve', { browser })
    await eve.whenSynced
    await until(() => greetings(browser, 'hello') === 2)
    ada.crash()
    const own = world.window('ada', { browser })
    await own.whenSynced
    await until(() => greetings(browser, 'hello') === 3)
    expect([textOf(eve), unsaved(eve), textOf({ doc: await world.stored() })]).toEqual(['', 0, ''])
  })

  test('a window without a right is never greeted', async () => {
    const world = await World.open()
    const browser = new Browser()
    const [ada] = (await neighbours(world, 1, browser)) as [Window]
    type(ada, 'private')
    const eve = world.window('eve', { browser })
    world.grant(eve, null)
    await until(() => eve.status.get().document.state === 'refused')
    await ada.whenSaved()
    expect([textOf(eve), greetings(browser, 'hello')]).toEqual(['', 1])
  })
})

test('[W2] over the channels and locks of the platform itself', async () => {
  const world = await World.open()
  const { locks } = navigator
  const browser = {
    openPage() {
      const own = openOwnWindow(locks)
      const channel = (name: string) => new BroadcastChannel(name)
      return { neighbours: { own, locks, channel }, die: () => own.close() }
    },
  }
  const [ada, own] = [world.window('ada', { browser }), world.window('ada', { browser })]
  await Promise.all([ada.whenSynced, own.whenSynced])
  ada.network.offline()
  // By the channel alone. One that came before the other listened is told at its hello.
  type(ada, 'Hello')
  await until(() => textOf(own) === 'Hello')
  expect(unsaved(own)).toBe(1)
  ada.crash()
  await until(() => unsaved(own) === 0)
  expect(textOf({ doc: await world.stored() })).toBe('Hello')
})

describe('[W2] [D1] "Saved" is of all text that a window shows', () => {
  test('a neighbour’s text counts until it is on the disk', async () => {
    const world = await World.open()
    const [ada, own] = (await neighbours(world, 2)) as [Window, Window]
    world.store.hold()
    type(ada, 'one ')
    type(ada, 'two')
    await until(() => textOf(own) === 'one two')
    expect([unsaved(ada), unsaved(own)]).toEqual([2, 2])
    type(own, '!')
    expect(unsaved(own)).toBe(3)
    world.store.release()
    await until(() => unsaved(own) === 0 && unsaved(ada) === 0)
    expect(textOf({ doc: await world.stored() })).toBe('one two!')
  })

  test('what was made here is waited for, not what the neighbours made', async () => {
    const world = await World.open()
    const [ada, own] = (await neighbours(world, 2)) as [Window, Window]
    ada.network.offline()
    type(ada, 'offline')
    await until(() => textOf(own) === 'offline')
    await own.whenSaved()
    expect(unsaved(own)).toBe(1)
  })
})

describe('[W2] healing', () => {
  test('an edit that overtakes the neighbour’s it builds on is behind, and everything is sent', async () => {
    const world = await World.open()
    const [ada, own] = (await neighbours(world, 2)) as [Window, Window]
    ada.network.offline()
    type(ada, 'first ')
    await until(() => textOf(own) === 'first ')
    type(own, 'second ')
    type(own, 'third')
    await until(() => unsaved(own) === 1) // only what its author has to say itself
    expect(own.status.get()).toMatchObject({ link: { state: 'up' } })
    expect(textOf({ doc: await world.stored() })).toBe('first second third')
    expect([own.stats().links, own.network.said.filter((said) => said === 'attach').length]).toEqual([1, 2])
    ada.network.online()
    await ada.whenSaved()
    await until(() => unsaved(own) === 0)
    expect(textOf({ doc: await world.stored() })).toBe('first second third')
  })

  test('nobody sees a window leave while it is healed', async () => {
    const world = await World.open()
    const [ada, own] = (await neighbours(world, 2)) as [Window, Window]
    const bob = world.window('bob')
    await bob.whenSynced
    own.awareness.setLocalState({ name: 'ada' })
    await until(() => bob.awareness.getStates().has(own.doc.clientID))
    const left: unknown[] = []
    bob.awareness.on('change', ({ removed }: { removed: number[] }) => left.push(...removed))
    ada.network.offline()
    type(ada, 'first ')
    await until(() => textOf(own) === 'first ')
    type(own, 'second')
    await until(() => textOf(bob) === 'first second')
    expect(left).toEqual([])
  })

  test('a neighbour that dies with unsent text: it is taken over, once', async () => {
    const world = await World.open()
    const [ada, own, third] = (await neighbours(world, 3)) as [Window, Window, Window]
    ada.network.offline()
    type(ada, 'last words')
    await until(() => textOf(own) === 'last words' && textOf(third) === 'last words')
    expect([unsaved(own), unsaved(third)]).toEqual([1, 1])
    ada.crash()
    await until(() => unsaved(own) === 0 && unsaved(third) === 0)
    expect(textOf({ doc: await world.stored() })).toBe('last words')
  })

  test('so is a deletion, which moves no clock', async () => {
    const world = await World.open()
    const [ada, own] = (await neighbours(world, 2)) as [Window, Window]
    type(ada, 'abc')
    await ada.whenSaved()
    ada.network.offline()
    ada.doc.getText('title').delete(1, 1)
    await until(() => textOf(own) === 'ac')
    ada.crash()
    await until(() => unsaved(own) === 0)
    expect(textOf({ doc: await world.stored() })).toBe('ac')
  })

  test('a neighbour that closes the document before its text is sent: the same', async () => {
    const world = await World.open()
    const [ada, own] = (await neighbours(world, 2)) as [Window, Window]
    ada.network.offline()
    type(ada, 'closed too early')
    await until(() => textOf(own) === 'closed too early')
    await ada.close()
    await until(() => unsaved(own) === 0)
    expect(textOf({ doc: await world.stored() })).toBe('closed too early')
  })

  test('a neighbour that lives but does not get through for 10 s is helped', async () => {
    const world = await World.open()
    const [ada, own] = (await neighbours(world, 2, new Browser(), { clock: hastyClock })) as [Window, Window]
    ada.network.offline()
    type(ada, 'stuck')
    await until(() => textOf(own) === 'stuck' && unsaved(own) === 1)
    await until(() => unsaved(own) === 0)
    expect(textOf({ doc: await world.stored() })).toBe('stuck')
  })

  test('windows that wait for one server do not take over what they took over, in turns and for ever', async () => {
    const world = await World.open()
    const browser = new Browser()
    const windows = Array.from({ length: 3 }, () => world.window('ada', { browser, clock: hastyClock }))
    await Promise.all(windows.map(({ whenSynced }) => whenSynced))
    await until(() => browser.greetings === 3)
    for (const { network } of windows) network.offline()
    type(windows[0]!, 'waiting')
    const start = hastyClock.now()
    await until(() => hastyClock.now() - start > 60_000)
    for (const window of windows) expect(unsaved(window)).toBeLessThanOrEqual(windows.length)
    for (const { network } of windows) network.online()
    await until(() => windows.every((window) => unsaved(window) === 0))
    expect(textOf({ doc: await world.stored() })).toBe('waiting')
  })
})
