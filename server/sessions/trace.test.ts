import { describe, expect, test } from 'vitest'
import { textOf, type, until, type Window, World } from './fixtures/world.ts'

interface Heard {
  readonly from: number
  readonly text: string
}

const utf8 = new TextEncoder()

function listen(window: Window, note: () => string = () => ''): Heard[] {
  const heard: Heard[] = []
  window.opened.main.provider.onTrace = (from, bytes) =>
    void heard.push({ from, text: new TextDecoder().decode(bytes) + note() })
  return heard
}

const tell = (window: Window, text: string, to?: Window): void =>
  window.opened.main.provider.trace(to?.doc.clientID ?? 0, utf8.encode(text))

/** Everybody sees everybody. */
async function windows(world: World, ...names: string[]): Promise<Window[]> {
  const opened = names.map((name) => world.window(name, { role: name === 'reader' ? 'viewer' : 'editor' }))
  await Promise.all(opened.map(({ whenSynced }) => whenSynced))
  for (const window of opened) await until(() => window.awareness.getStates().size === names.length)
  return opened
}

const texts = (heard: readonly Heard[]): string[] => heard.map(({ text }) => text)

describe('[L1] traces', () => {
  test('go to everybody else, or to one, under the name that presence gives their window', async () => {
    const world = await World.open()
    const [ada, bob, eve] = await windows(world, 'ada', 'bob', 'eve')
    const [atAda, atBob, atEve] = [ada!, bob!, eve!].map((window) => listen(window))
    tell(ada!, 'to all')
    tell(ada!, 'to bob', bob)
    tell(ada!, 'to nobody', { doc: { clientID: 1 } } as Window)
    tell(ada!, 'to herself', ada)
    tell(ada!, 'the last')
    await until(() => atBob!.length === 3 && atEve!.length === 2)
    expect(texts(atBob!)).toEqual(['to all', 'to bob', 'the last'])
    expect(texts(atEve!)).toEqual(['to all', 'the last'])
    expect(atAda).toEqual([])
    expect(new Set(atBob!.map(({ from }) => from))).toEqual(new Set([ada!.doc.clientID]))
  })

  test('a reader measures, too', async () => {
    const world = await World.open()
    const [ada, reader] = await windows(world, 'ada', 'reader')
    const heard = listen(ada!)
    tell(reader!, 'seen')
    await until(() => heard.length === 1)
  })

  test('[D1] what is said of an edit comes behind it, however long its commit takes', async () => {
    const world = await World.open()
    const [ada, bob, eve] = await windows(world, 'ada', 'bob', 'eve')
    const heard = listen(bob!, () => `, text: ${textOf(bob!)}`)
    world.store.hold()
    type(ada!, 'a')
    tell(ada!, 'a stamp')
    tell(eve!, 'meanwhile')
    await until(() => heard.length > 0)
    world.store.release()
    await until(() => heard.length === 2)
    expect(texts(heard)).toEqual(['meanwhile, text: ', 'a stamp, text: a'])
  })

  test('[A6] a flood is thinned out, its author stays, and what it types goes through', async () => {
    const world = await World.open()
    const [ada, bob] = await windows(world, 'ada', 'bob')
    const heard = listen(bob!)
    const began = performance.now()
    for (let said = 0; said < 1_000; said++) {
      tell(ada!, String(said))
      if (said % 50 === 0) await new Promise((resolve) => setTimeout(resolve, 1))
    }
    type(ada!, 'still here')
    await until(() => textOf(bob!) === 'still here')
    expect(heard.length).toBeGreaterThan(0)
    const seconds = (performance.now() - began) / 1000
    expect(heard.length).toBeLessThanOrEqual(201 + 100 * seconds)
    expect(ada!.status.get().link.state).toBe('up')
  })
})

test('[L2] the server says what time it is, while its answer is waited for', async () => {
  const world = await World.open()
  const [ada] = await windows(world, 'ada')
  const now = (): number => (performance.timeOrigin + performance.now()) * 1000
  const answers: { token: number; micros: number }[] = []
  const nothing = (): void => {}
  ada!.opened.session.watch = {
    onMessages: nothing,
    onSent: nothing,
    onArrived: nothing,
    onRestart: nothing,
    onClock: (token, micros) => void answers.push({ token, micros }),
  }
  const asked = now()
  ada!.opened.session.askClock(7)
  await until(() => answers.length === 1)
  expect(answers[0]!.token).toBe(7)
  expect(answers[0]!.micros).toBeGreaterThanOrEqual(Math.floor(asked))
  expect(answers[0]!.micros).toBeLessThanOrEqual(Math.ceil(now()))
})

test('[L1] in a busy room, which tells several edits in one, a stamp still comes behind its own', async () => {
  const world = await World.open()
  const crowd = Array.from({ length: 30 }, (_, index) => world.window(`guest ${index}`))
  const [ada, bob] = [world.window('ada'), world.window('bob')]
  await Promise.all([...crowd, ada, bob].map(({ whenSynced }) => whenSynced))
  await until(() => bob.awareness.getStates().has(ada.doc.clientID))
  const heard = listen(bob, () => `, text: ${textOf(bob)}`)
  for (let said = 0; said < 150; said++) {
    type(ada, 'x')
    tell(ada, String(said + 1))
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  await ada.whenSaved()
  await until(() => heard.length > 0 && textOf(bob).length === 150)
  for (const { text } of heard) {
    const [, letters, seen] = /^(\d+), text: (x*)$/.exec(text)!
    expect(seen!.length).toBeGreaterThanOrEqual(Number(letters))
  }
})
