/** Windows of one browser exchange edits directly, and through the server (W2). */
import { describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import { acquireWindowLock } from '../../lib/window-group/window-lock.ts'
import { FakeBrowser } from '../../lib/fixtures/fake-browser.ts'
import {
  fastClock,
  textOf,
  type,
  type FixtureWindow,
  type FixtureWindowOptions,
  SessionFixture,
} from './fixtures/session-fixture.ts'
import { waitUntil } from '../../lib/fixtures/wait.ts'

/** Windows of one browser, each of which has met the others. */
async function openNeighbours(
  fixture: SessionFixture,
  count: number,
  browser = new FakeBrowser(),
  options: FixtureWindowOptions = {},
): Promise<FixtureWindow[]> {
  const windows = Array.from({ length: count }, () => fixture.openWindow('ada', { browser, ...options }))
  await Promise.all(windows.map(({ whenSynced }) => whenSynced))
  await waitUntil(() => browser.meetingCount === (count * (count - 1)) / 2)
  return windows
}

const countPosted = (browser: FakeBrowser, type: string): number =>
  browser.channels.posted.filter((message) => (message as { type: string }).type === type).length

const countEditsSent = ({ network }: FixtureWindow): number =>
  network.clientMessageTypes.filter((type) => type === 'edit').length

/** Counts how often Yjs found something new in a document. */
function countUpdatesOf({ doc }: FixtureWindow): () => number {
  let count = 0
  doc.on('update', () => (count += 1))
  return () => count
}

const unsavedOf = ({ status }: FixtureWindow): number => status.get().unsaved

describe('[W2] windows of one browser', () => {
  test('receive each other’s edits at once, also while the server receives nothing', async () => {
    const fixture = await SessionFixture.open()
    const [ada, own] = (await openNeighbours(fixture, 2)) as [FixtureWindow, FixtureWindow]
    const bob = fixture.openWindow('bob')
    await bob.whenSynced
    ada.network.offline()
    type(ada, 'Hello')
    await waitUntil(() => textOf(own) === 'Hello')
    expect(textOf(bob)).toBe('')
  })

  test('receive them from the server too: nothing is sent twice, and nothing is new twice', async () => {
    const fixture = await SessionFixture.open()
    const [ada, own, third] = (await openNeighbours(fixture, 3)) as [
      FixtureWindow,
      FixtureWindow,
      FixtureWindow,
    ]
    const bob = fixture.openWindow('bob')
    await bob.whenSynced
    const news = [own, third, bob].map(countUpdatesOf)
    for (const letter of 'typing') {
      type(ada, letter)
      await ada.whenSaved()
    }
    await waitUntil(() => textOf(bob) === 'typing')
    bob.awareness.setLocalState({}) // sent after the last edit
    await waitUntil(() => [own, third].every(({ awareness }) => awareness.getStates().has(bob.doc.clientID)))
    expect([ada, own, third].map(countEditsSent)).toEqual([6, 0, 0])
    expect(news.map((count) => count())).toEqual([6, 6, 6])
    expect((await fixture.store.load(fixture.document, 'body')).logLength).toBe(6)
  })

  test('keep the same formatting that Yjs would clean up, and only its author sends it', async () => {
    const fixture = await SessionFixture.open()
    const [ada, own] = (await openNeighbours(fixture, 2)) as [FixtureWindow, FixtureWindow]
    type(ada, 'bold twice')
    await ada.whenSaved()
    ada.network.offline()
    own.network.offline()
    for (const { doc } of [ada, own]) doc.getText('title').format(0, 4, { bold: true })
    ada.doc.getText('title').format(2, 4, { bold: null })
    await waitUntil(() => Y.equalSnapshots(Y.snapshot(ada.doc), Y.snapshot(own.doc)))
    ada.network.online()
    own.network.online()
    await Promise.all([ada.whenSaved(), own.whenSaved()])
    expect(Y.equalSnapshots(Y.snapshot(await fixture.readStored()), Y.snapshot(own.doc))).toBe(true)
  })

  test('show a newcomer once what the server does not have, deletions included', async () => {
    const fixture = await SessionFixture.open()
    const browser = new FakeBrowser()
    const [ada, own] = (await openNeighbours(fixture, 2, browser)) as [FixtureWindow, FixtureWindow]
    type(ada, 'abc')
    await ada.whenSaved()
    ada.network.offline()
    ada.doc.getText('title').delete(1, 1)
    const late = fixture.openWindow('ada', { browser })
    await late.whenSynced
    await waitUntil(() => textOf(late) === 'ac' && textOf(own) === 'ac')
    expect(countPosted(browser, 'state')).toBe(1)
    expect(unsavedOf(late)).toBe(1)
  })

  test('exchange nothing more when they have lost their role', async () => {
    const fixture = await SessionFixture.open()
    const browser = new FakeBrowser()
    const [ada, own] = (await openNeighbours(fixture, 2, browser)) as [FixtureWindow, FixtureWindow]
    fixture.grant(ada, null)
    await waitUntil(() => [ada, own].every(({ status }) => status.get().document.state === 'refused'))
    type(ada, 'private')
    expect(countPosted(browser, 'edit')).toBe(0)
  })

  test('neither receive nor send another person’s unsent text', async () => {
    const fixture = await SessionFixture.open()
    const browser = new FakeBrowser()
    const [ada] = (await openNeighbours(fixture, 1, browser)) as [FixtureWindow]
    ada.network.offline()
    type(ada, 'mine')
    const eve = fixture.openWindow('eve', { browser })
    await eve.whenSynced
    await waitUntil(() => countPosted(browser, 'hello') === 2)
    ada.crash()
    const own = fixture.openWindow('ada', { browser })
    await own.whenSynced
    await waitUntil(() => countPosted(browser, 'hello') === 3)
    expect([textOf(eve), unsavedOf(eve), textOf({ doc: await fixture.readStored() })]).toEqual(['', 0, ''])
  })

  test('are not greeted by a window without a role', async () => {
    const fixture = await SessionFixture.open()
    const browser = new FakeBrowser()
    const [ada] = (await openNeighbours(fixture, 1, browser)) as [FixtureWindow]
    type(ada, 'private')
    const eve = fixture.openWindow('eve', { browser })
    fixture.grant(eve, null)
    await waitUntil(() => eve.status.get().document.state === 'refused')
    await ada.whenSaved()
    expect([textOf(eve), countPosted(browser, 'hello')]).toEqual(['', 1])
  })
})

test('[W2] windows use the channels and locks of the platform itself', async () => {
  const fixture = await SessionFixture.open()
  const { locks } = navigator
  const browser = {
    openWindow() {
      const own = acquireWindowLock(locks)
      const channel = (name: string) => new BroadcastChannel(name)
      return { own, locks, channel, crash: () => own.close() }
    },
  }
  const [ada, own] = [fixture.openWindow('ada', { browser }), fixture.openWindow('ada', { browser })]
  await Promise.all([ada.whenSynced, own.whenSynced])
  ada.network.offline()
  // The edit can reach the other window by the channel alone.
  type(ada, 'Hello')
  await waitUntil(() => textOf(own) === 'Hello')
  expect(unsavedOf(own)).toBe(1)
  ada.crash()
  await waitUntil(() => unsavedOf(own) === 0)
  expect(textOf({ doc: await fixture.readStored() })).toBe('Hello')
})

describe('[W2] [D1] "Saved" covers all text that a window shows', () => {
  test('a neighbour’s text counts until it is on the disk', async () => {
    const fixture = await SessionFixture.open()
    const [ada, own] = (await openNeighbours(fixture, 2)) as [FixtureWindow, FixtureWindow]
    fixture.store.hold()
    type(ada, 'one ')
    type(ada, 'two')
    await waitUntil(() => textOf(own) === 'one two')
    expect([unsavedOf(ada), unsavedOf(own)]).toEqual([2, 2])
    type(own, '!')
    expect(unsavedOf(own)).toBe(3)
    fixture.store.release()
    await waitUntil(() => unsavedOf(own) === 0 && unsavedOf(ada) === 0)
    expect(textOf({ doc: await fixture.readStored() })).toBe('one two!')
  })

  test('whenSaved waits for the window’s own edits, not for those of its neighbours', async () => {
    const fixture = await SessionFixture.open()
    const [ada, own] = (await openNeighbours(fixture, 2)) as [FixtureWindow, FixtureWindow]
    ada.network.offline()
    type(ada, 'offline')
    await waitUntil(() => textOf(own) === 'offline')
    await own.whenSaved()
    expect(unsavedOf(own)).toBe(1)
  })
})

describe('[W2] healing', () => {
  test('an edit that overtakes the neighbour’s edit below it is behind, and everything is sent', async () => {
    const fixture = await SessionFixture.open()
    const [ada, own] = (await openNeighbours(fixture, 2)) as [FixtureWindow, FixtureWindow]
    ada.network.offline()
    type(ada, 'first ')
    await waitUntil(() => textOf(own) === 'first ')
    type(own, 'second ')
    type(own, 'third')
    await waitUntil(() => unsavedOf(own) === 1) // only what its author itself has to send
    expect(own.status.get()).toMatchObject({ link: { state: 'up' } })
    expect(textOf({ doc: await fixture.readStored() })).toBe('first second third')
    expect([
      own.stats().links,
      own.network.clientMessageTypes.filter((sent) => sent === 'attach').length,
    ]).toEqual([1, 2])
    ada.network.online()
    await ada.whenSaved()
    await waitUntil(() => unsavedOf(own) === 0)
    expect(textOf({ doc: await fixture.readStored() })).toBe('first second third')
  })

  test('nobody sees a window leave while it is healed', async () => {
    const fixture = await SessionFixture.open()
    const [ada, own] = (await openNeighbours(fixture, 2)) as [FixtureWindow, FixtureWindow]
    const bob = fixture.openWindow('bob')
    await bob.whenSynced
    own.awareness.setLocalState({ name: 'ada' })
    await waitUntil(() => bob.awareness.getStates().has(own.doc.clientID))
    const left: unknown[] = []
    bob.awareness.on('change', ({ removed }: { removed: number[] }) => left.push(...removed))
    ada.network.offline()
    type(ada, 'first ')
    await waitUntil(() => textOf(own) === 'first ')
    type(own, 'second')
    await waitUntil(() => textOf(bob) === 'first second')
    expect(left).toEqual([])
  })

  test('unsent text of a neighbour that dies is taken over, once', async () => {
    const fixture = await SessionFixture.open()
    const [ada, own, third] = (await openNeighbours(fixture, 3)) as [
      FixtureWindow,
      FixtureWindow,
      FixtureWindow,
    ]
    ada.network.offline()
    type(ada, 'last words')
    await waitUntil(() => textOf(own) === 'last words' && textOf(third) === 'last words')
    expect([unsavedOf(own), unsavedOf(third)]).toEqual([1, 1])
    ada.crash()
    await waitUntil(() => unsavedOf(own) === 0 && unsavedOf(third) === 0)
    expect(textOf({ doc: await fixture.readStored() })).toBe('last words')
  })

  test('a deletion is taken over too, though it moves no clock', async () => {
    const fixture = await SessionFixture.open()
    const [ada, own] = (await openNeighbours(fixture, 2)) as [FixtureWindow, FixtureWindow]
    type(ada, 'abc')
    await ada.whenSaved()
    ada.network.offline()
    ada.doc.getText('title').delete(1, 1)
    await waitUntil(() => textOf(own) === 'ac')
    ada.crash()
    await waitUntil(() => unsavedOf(own) === 0)
    expect(textOf({ doc: await fixture.readStored() })).toBe('ac')
  })

  test('unsent text of a neighbour that closes the document is taken over', async () => {
    const fixture = await SessionFixture.open()
    const [ada, own] = (await openNeighbours(fixture, 2)) as [FixtureWindow, FixtureWindow]
    ada.network.offline()
    type(ada, 'closed too early')
    await waitUntil(() => textOf(own) === 'closed too early')
    await ada.close()
    await waitUntil(() => unsavedOf(own) === 0)
    expect(textOf({ doc: await fixture.readStored() })).toBe('closed too early')
  })

  test('a neighbour that lives but does not reach the server for 10 s is helped', async () => {
    const fixture = await SessionFixture.open()
    const [ada, own] = (await openNeighbours(fixture, 2, new FakeBrowser(), {
      clock: fastClock,
    })) as [FixtureWindow, FixtureWindow]
    ada.network.offline()
    type(ada, 'stuck')
    await waitUntil(() => textOf(own) === 'stuck' && unsavedOf(own) === 1)
    await waitUntil(() => unsavedOf(own) === 0)
    expect(textOf({ doc: await fixture.readStored() })).toBe('stuck')
  })

  test('windows that wait for one server do not take over from each other for ever', async () => {
    const fixture = await SessionFixture.open()
    const browser = new FakeBrowser()
    const windows = Array.from({ length: 3 }, () => fixture.openWindow('ada', { browser, clock: fastClock }))
    await Promise.all(windows.map(({ whenSynced }) => whenSynced))
    await waitUntil(() => browser.meetingCount === 3)
    for (const { network } of windows) network.offline()
    type(windows[0]!, 'waiting')
    const start = fastClock.now()
    await waitUntil(() => fastClock.now() - start > 60_000)
    for (const window of windows) expect(unsavedOf(window)).toBeLessThanOrEqual(windows.length)
    for (const { network } of windows) network.online()
    await waitUntil(() => windows.every((window) => unsavedOf(window) === 0))
    expect(textOf({ doc: await fixture.readStored() })).toBe('waiting')
  })
})
