import { describe, expect, test } from 'vitest'
import { type FixtureWindow, SessionFixture } from './fixtures/session-fixture.ts'
import { waitUntil } from '../../lib/fixtures/wait.ts'

const namesSeenBy = (window: FixtureWindow): string[] =>
  [...window.awareness.getStates()]
    .filter(([id]) => id !== window.doc.clientID)
    .map(([, state]) => String((state as { user?: { name?: string } }).user?.name))
    .toSorted()

const caretAt = (clock: number) => {
  const position = { item: { client: 1, clock } }
  return { anchor: position, head: position }
}

/** The position of the letter at which one window sees the caret of another. */
const clockOf = (by: FixtureWindow, of: FixtureWindow): number | undefined => {
  const state = by.awareness.getStates().get(of.doc.clientID)
  return (state as { cursor?: ReturnType<typeof caretAt> } | undefined)?.cursor?.head.item.clock
}

async function openWindows(fixture: SessionFixture, ...names: string[]): Promise<FixtureWindow[]> {
  const opened = names.map((name) => fixture.openWindow(name))
  for (const [index, window] of opened.entries())
    window.awareness.setLocalState({ user: { name: names[index] } })
  await Promise.all(opened.map(({ whenSynced }) => whenSynced))
  return opened
}

const waitUntilSeen = (window: FixtureWindow, ...names: string[]) =>
  waitUntil(
    () => namesSeenBy(window).join() === names.join(),
    () => `${namesSeenBy(window).join()} is not ${names.join()}`,
  )

describe('[W7] presence', () => {
  test('a window that joins sees all others, and they see it', async () => {
    const fixture = await SessionFixture.open()
    const [ada, bob] = await openWindows(fixture, 'ada', 'bob')
    await waitUntilSeen(ada!, 'bob')
    await waitUntilSeen(bob!, 'ada')
    const [late] = await openWindows(fixture, 'late')
    await waitUntilSeen(late!, 'ada', 'bob')
    await waitUntilSeen(ada!, 'bob', 'late')
  })

  test('a cursor that moves is seen at its place', async () => {
    const fixture = await SessionFixture.open()
    const [ada, bob] = await openWindows(fixture, 'ada', 'bob')
    ada!.awareness.setLocalStateField('cursor', caretAt(7))
    await waitUntil(() => clockOf(bob!, ada!) === 7)
  })

  test('a bye removes the presence at once', async () => {
    const fixture = await SessionFixture.open()
    const [ada, bob] = await openWindows(fixture, 'ada', 'bob')
    await waitUntilSeen(ada!, 'bob')
    await bob!.close()
    await waitUntilSeen(ada!)
    expect(fixture.sessions.count).toBe(1)
  })

  test('a link that ended without a bye removes it too, and a window that returns is seen without a move', async () => {
    const fixture = await SessionFixture.open()
    const [ada, bob] = await openWindows(fixture, 'ada', 'bob')
    await waitUntilSeen(ada!, 'bob')
    bob!.network.offline()
    await waitUntilSeen(ada!)
    bob!.network.online()
    await waitUntilSeen(ada!, 'bob')
    await waitUntilSeen(bob!, 'ada')
  })

  test('a short cut makes nobody disappear', async () => {
    const fixture = await SessionFixture.open()
    const [ada, bob] = await openWindows(fixture, 'ada', 'bob')
    await waitUntilSeen(ada!, 'bob')
    const seen = new Set<string>()
    ada!.awareness.on('change', () => seen.add(namesSeenBy(ada!).join()))
    bob!.network.cut()
    await waitUntil(() => bob!.stats().links === 2)
    bob!.awareness.setLocalStateField('cursor', caretAt(1))
    await waitUntil(() => clockOf(ada!, bob!) === 1)
    expect([...seen]).toEqual(['bob'])
  })

  test('a removal that a window missed while away leaves no ghost', async () => {
    const fixture = await SessionFixture.open()
    const [ada, bob, eve] = await openWindows(fixture, 'ada', 'bob', 'eve')
    await waitUntilSeen(ada!, 'bob', 'eve')
    ada!.network.offline()
    await eve!.close()
    await waitUntilSeen(bob!, 'ada')
    ada!.network.online()
    await waitUntilSeen(ada!, 'bob')
  })

  test('after a restart everybody is there once, and nobody for ever', async () => {
    const fixture = await SessionFixture.open()
    const [ada, bob, eve] = await openWindows(fixture, 'ada', 'bob', 'eve')
    await waitUntilSeen(ada!, 'bob', 'eve')
    eve!.network.offline()
    await fixture.restart()
    await waitUntilSeen(ada!, 'bob')
    await waitUntilSeen(bob!, 'ada')
  })

  test('a lost session does not hide the window that has a new one', async () => {
    const fixture = await SessionFixture.open()
    const [ada, bob] = await openWindows(fixture, 'ada', 'bob')
    await waitUntilSeen(ada!, 'bob')
    // After another sign-in the same window is somebody else to the server, while its old session is still open.
    bob!.signInAs('robert')
    bob!.network.cut()
    let hasGone = false // the old session's goodbye
    ada!.awareness.on('change', () => (hasGone ||= !namesSeenBy(ada!).includes('bob')))
    await waitUntil(() => hasGone)
    await waitUntilSeen(ada!, 'robert')
  })
})
