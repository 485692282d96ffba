/** What windows find out about their delays, over the real sessions and rooms. */
import { describe, expect, test } from 'vitest'
import { type FakePage, fakePage } from '../../lib/latency/fixtures/powers.ts'
import { latencyOf } from '../../lib/latency/latency.ts'
import type { Latency, Timeline } from '../../lib/latency/state.ts'
import { Browser } from '../../lib/sync/fixtures/browser.ts'
import { textOf, type, until, type Window, World } from './fixtures/world.ts'

interface Measured {
  readonly window: Window
  readonly latency: Latency
  readonly page: FakePage
}

interface Place {
  readonly browser?: Browser
  /** Of its browser's clock, in ms. */
  readonly wrongBy?: number
  readonly named?: string
}

async function open(
  world: World,
  name: string,
  { browser, wrongBy = 0, named }: Place = {},
): Promise<Measured> {
  const window = world.window(name, browser && { browser })
  const page = fakePage(named ?? `browser of ${name}`, wrongBy)
  const latency = latencyOf(window.opened, page)
  await window.whenSynced
  return { window, latency, page }
}

/** They see each other, and those who do not look have heard that somebody does. */
async function meet(...all: Measured[]): Promise<void> {
  for (const { window } of all) await until(() => window.awareness.getStates().size === all.length)
}

async function looked(looker: Measured, ...others: Measured[]): Promise<() => void> {
  const end = looker.latency.look()
  await until(() => looker.latency.get().windows.length === others.length)
  await until(() => looker.latency.get().roundTrip.base !== undefined)
  await until(() => others.every(({ window }) => window.opened.session.watch !== null))
  return end
}

async function typed(
  { window, latency }: Measured,
  letters: string,
  arrivals: number,
): Promise<readonly Timeline[]> {
  const before = latency.timelines().length
  for (const letter of letters) {
    type(window, letter)
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
  const mine = (): readonly Timeline[] => latency.timelines().slice(before)
  await until(
    () =>
      mine().every(
        (one) => one.arrivals.length === arrivals && one.saved !== undefined && one.ownPaint !== undefined,
      ),
    () => JSON.stringify(mine()),
  )
  return mine()
}

const inOrder = (...times: (number | 'hidden' | undefined)[]): boolean =>
  times.every((time, index) => typeof time === 'number' && (index === 0 || time >= Number(times[index - 1])))

describe('[L1] one edit has one timeline', () => {
  test('key, made, sent, acknowledged, saved; and elsewhere received, applied, painted', async () => {
    const world = await World.open()
    const [ada, bob] = [await open(world, 'ada'), await open(world, 'bob')]
    await meet(ada, bob)
    await looked(ada, bob)
    ada.page.key = ada.page.now() - 3
    const [first] = await typed(ada, 'a', 1)
    ada.page.key = undefined
    const rest = await typed(ada, 'bcdef', 1)
    expect(first).toMatchObject({ edit: 1, by: 'input', key: expect.any(Number) })
    expect(first!.made).toBeGreaterThanOrEqual(3)
    expect(rest.map(({ edit, by, made }) => ({ edit, by, made }))).toEqual(
      [2, 3, 4, 5, 6].map((edit) => ({ edit, by: 'program', made: 0 })),
    )
    for (const { made, sent, acknowledged, saved, ownPaint, arrivals } of [first!, ...rest]) {
      expect(inOrder(0, made, sent, acknowledged, saved)).toBe(true)
      expect(inOrder(0, ownPaint)).toBe(true)
      const [{ received, applied, painted, path, boundMs }] = arrivals as [(typeof arrivals)[number]]
      expect(inOrder(0, received, applied, painted)).toBe(true)
      expect(path).toBe('server')
      expect(boundMs).toBeGreaterThan(0)
    }
    expect(ada.latency.get()).toMatchObject({
      own: { saved: { count: 6 }, ownPaint: { count: 6 } },
      windows: [
        { person: 'bob', own: false, name: '', device: '', painted: { count: 6 }, paths: { server: 6 } },
      ],
    })
    expect(textOf(bob.window)).toBe('abcdef')
  })

  test('several edits in one frame each have theirs', async () => {
    const world = await World.open()
    const [ada, bob] = [await open(world, 'ada'), await open(world, 'bob')]
    await meet(ada, bob)
    await looked(ada, bob)
    for (const letter of 'abc') type(ada.window, letter)
    const timelines = await typed(ada, 'd', 1)
    await until(() => ada.latency.timelines().every(({ arrivals }) => arrivals.length === 1))
    expect(timelines.length).toBe(1)
    expect(ada.latency.timelines().map(({ edit }) => edit)).toEqual([1, 2, 3, 4])
  })

  test('[W2] in the same browser by the neighbour, and the clocks are one', async () => {
    const world = await World.open()
    const browser = new Browser()
    const here = { browser, named: 'one' }
    const [ada, other] = [await open(world, 'ada', here), await open(world, 'ada', here)]
    await meet(ada, other)
    await until(() => browser.greetings > 0)
    await looked(ada, other)
    const timelines = await typed(ada, 'abc', 1)
    expect(timelines.map(({ arrivals }) => arrivals[0]!.path)).toEqual(['browser', 'browser', 'browser'])
    expect(ada.latency.get().windows).toMatchObject([
      { id: other.page.window, own: true, sameBrowser: true, boundMs: 0.1, paths: { browser: 3, server: 0 } },
    ])
  })

  test('a page that is hidden says so; nothing is made up for it', async () => {
    const world = await World.open()
    const [ada, bob] = [await open(world, 'ada'), await open(world, 'bob')]
    await meet(ada, bob)
    await looked(ada, bob)
    bob.page.hidden = true
    const [one] = await typed(ada, 'a', 1)
    expect(one!.arrivals[0]!.painted).toBe('hidden')
    expect(ada.latency.get().windows).toMatchObject([
      { hidden: 1, received: { count: 1 }, painted: { count: 0 } },
    ])
  })
})
