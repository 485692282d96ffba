import { describe, expect, test } from 'vitest'
import { until, type Window, World } from './fixtures/world.ts'

const present = (window: Window): string[] =>
  [...window.awareness.getStates()]
    .filter(([id]) => id !== window.doc.clientID)
    .map(([, state]) => String((state as { user?: { name?: string } }).user?.name))
    .toSorted()

const caretAt = (clock: number) => {
  const position = { item: { client: 1, clock } }
  return { anchor: position, head: position }
}

/** Where the letter stands at which one window sees another's caret. */
const clockOf = (by: Window, of: Window): number | undefined => {
  const state = by.awareness.getStates().get(of.doc.clientID)
  return (state as { cursor?: ReturnType<typeof caretAt> } | undefined)?.cursor?.head.item.clock
}

async function windows(world: World, ...names: string[]): Promise<Window[]> {
  const opened = names.map((name) => world.window(name))
  for (const [index, window] of opened.entries())
    window.awareness.setLocalState({ user: { name: names[index] } })
  await Promise.all(opened.map(({ whenSynced }) => whenSynced))
  return opened
}

const see = (window: Window, ...names: string[]) =>
  until(
    () => present(window).join() === names.join(),
    () => `${present(window).join()} is not ${names.join()}`,
  )

describe('[W7] presence', () => {
  test('whoever comes sees all who are there, and is seen', async () => {
    const world = await World.open()
    const [ada, bob] = await windows(world, 'ada', 'bob')
    await see(ada!, 'bob')
    await see(bob!, 'ada')
    const [late] = await windows(world, 'late')
    await see(late!, 'ada', 'bob')
    await see(ada!, 'bob', 'late')
  })

  test('a cursor that moves is seen where it is', async () => {
    const world = await World.open()
    const [ada, bob] = await windows(world, 'ada', 'bob')
    ada!.awareness.setLocalStateField('cursor', caretAt(7))
    await until(() => clockOf(bob!, ada!) === 7)
  })

  test('a goodbye is heard at once', async () => {
    const world = await World.open()
    const [ada, bob] = await windows(world, 'ada', 'bob')
    await see(ada!, 'bob')
    await bob!.close()
    await see(ada!)
    expect(world.sessions.count).toBe(1)
  })

  test('a link that ended without a goodbye is one all the same, and who comes back is seen without having moved', async () => {
    const world = await World.open()
    const [ada, bob] = await windows(world, 'ada', 'bob')
    await see(ada!, 'bob')
    bob!.network.offline()
    await see(ada!)
    bob!.network.online()
    await see(ada!, 'bob')
    await see(bob!, 'ada')
  })

  test('nobody blinks at a short cut', async () => {
    const world = await World.open()
    const [ada, bob] = await windows(world, 'ada', 'bob')
    await see(ada!, 'bob')
    const seen = new Set<string>()
    ada!.awareness.on('change', () => seen.add(present(ada!).join()))
    bob!.network.cut()
    await until(() => bob!.stats().links === 2)
    bob!.awareness.setLocalStateField('cursor', caretAt(1))
    await until(() => clockOf(ada!, bob!) === 1)
    expect([...seen]).toEqual(['bob'])
  })

  test('a goodbye missed while away leaves no ghost', async () => {
    const world = await World.open()
    const [ada, bob, eve] = await windows(world, 'ada', 'bob', 'eve')
    await see(ada!, 'bob', 'eve')
    ada!.network.offline()
    await eve!.close()
    await see(bob!, 'ada')
    ada!.network.online()
    await see(ada!, 'bob')
  })

  test('after a restart everybody is there, and nobody twice or for ever', async () => {
    const world = await World.open()
    const [ada, bob, eve] = await windows(world, 'ada', 'bob', 'eve')
    await see(ada!, 'bob', 'eve')
    eve!.network.offline()
    await world.restart()
    await see(ada!, 'bob')
    await see(bob!, 'ada')
  })

  test('a session that was lost does not hide the window that has a new one', async () => {
    const world = await World.open()
    const [ada, bob] = await windows(world, 'ada', 'bob')
    await see(ada!, 'bob')
    // As after a sign-in again: the same window, to the server somebody else, whose old session still stands.
    bob!.becomes('robert')
    bob!.network.cut()
    let hasGone = false // the old session's goodbye
    ada!.awareness.on('change', () => (hasGone ||= !present(ada!).includes('bob')))
    await until(() => hasGone)
    await see(ada!, 'robert')
  })
})
