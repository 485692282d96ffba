/** What windows measure of their delays, over the real sessions and rooms. */
import { describe, expect, test } from 'vitest'
import { type FakePage, fakePage } from '../../lib/latency/fixtures/fake-page.ts'
import { latencyOf } from '../../lib/latency/latency.ts'
import {
  encodeLatencyMessage,
  type LatencyMessage,
  readLatencyMessage,
  type EditStamp,
} from '../../lib/latency/latency-messages.ts'
import type { Latency, LatencyState, EditTimeline } from '../../lib/latency/latency-state.ts'
import { ManualClock } from '../../lib/session/fixtures/manual-clock.ts'
import { FakeBrowser } from '../../lib/fixtures/fake-browser.ts'
import { textOf, type, type FixtureWindow, SessionFixture } from './fixtures/session-fixture.ts'
import { waitUntil } from '../../lib/fixtures/wait.ts'

interface LatencyWindow {
  readonly window: FixtureWindow
  readonly latency: Latency
  readonly page: FakePage
}

interface LatencyWindowOptions {
  readonly browser?: FakeBrowser
  /** A clock of its browser, in ms. */
  readonly clockErrorMs?: number
  readonly named?: string
}

async function openMeasured(
  fixture: SessionFixture,
  name: string,
  { browser, clockErrorMs = 0, named }: LatencyWindowOptions = {},
): Promise<LatencyWindow> {
  const window = fixture.openWindow(name, browser && { browser })
  const page = fakePage(named ?? `browser of ${name}`, clockErrorMs)
  const latency = latencyOf(window.handle, page)
  await window.whenSynced
  return { window, latency, page }
}

/** The windows see each other, and those that do not measure know that somebody does. */
async function waitUntilMet(...all: LatencyWindow[]): Promise<void> {
  for (const { window } of all) await waitUntil(() => window.awareness.getStates().size === all.length)
}

async function startLooking(looker: LatencyWindow, ...others: LatencyWindow[]): Promise<() => void> {
  const end = looker.latency.observe('person')
  await waitUntil(() => looker.latency.get().windows.length === others.length)
  await waitUntil(() => looker.latency.get().roundTrip.base !== undefined)
  await waitUntil(() => others.every(({ window }) => window.handle.session.observer !== null))
  return end
}

/** Two people on two devices; Ada measures. */
async function adaLooksAtBob(
  bobs: LatencyWindowOptions = {},
): Promise<readonly [LatencyWindow, LatencyWindow]> {
  const fixture = await SessionFixture.open()
  const [ada, bob] = [await openMeasured(fixture, 'ada'), await openMeasured(fixture, 'bob', bobs)]
  await waitUntilMet(ada, bob)
  await startLooking(ada, bob)
  return [ada, bob]
}

/** Two windows of one browser; the first measures. */
async function oneBrowserLooks(): Promise<readonly [LatencyWindow, LatencyWindow]> {
  const fixture = await SessionFixture.open()
  const browser = new FakeBrowser()
  const here = { browser, named: 'one' }
  const [ada, other] = [await openMeasured(fixture, 'ada', here), await openMeasured(fixture, 'ada', here)]
  await waitUntilMet(ada, other)
  await waitUntil(() => browser.meetingCount > 0)
  await startLooking(ada, other)
  return [ada, other]
}

async function typeAndMeasure(
  { window, latency }: LatencyWindow,
  letters: string,
  arrivals: number,
): Promise<readonly EditTimeline[]> {
  const before = latency.timelines().length
  for (const letter of letters) {
    type(window, letter)
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
  const mine = (): readonly EditTimeline[] => latency.timelines().slice(before)
  await waitUntil(
    () =>
      mine().every(
        (one) => one.arrivals.length === arrivals && one.saved !== undefined && one.ownPaint !== undefined,
      ),
    () => JSON.stringify(mine()),
  )
  return mine()
}

/** The timeline goes no further, since there is no other window. */
async function typeAlone({ window, latency }: Pick<LatencyWindow, 'window' | 'latency'>): Promise<void> {
  type(window, 'a')
  await window.whenSaved()
  await waitUntil(() => latency.timelines().at(-1)?.ownPaint !== undefined)
}

const inOrder = (...times: (number | 'hidden' | undefined)[]): boolean =>
  times.every((time, index) => typeof time === 'number' && (index === 0 || time >= Number(times[index - 1])))

describe('[L1] one edit has one timeline', () => {
  test('its stages are key, made, sent, acknowledged, saved; and elsewhere received, applied, painted', async () => {
    const [ada, bob] = await adaLooksAtBob()
    ada.page.key = ada.page.now() - 3
    const [first] = await typeAndMeasure(ada, 'a', 1)
    ada.page.key = undefined
    const rest = await typeAndMeasure(ada, 'bcdef', 1)
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

  test('several edits in one frame have a timeline each', async () => {
    const [ada] = await adaLooksAtBob()
    for (const letter of 'abc') type(ada.window, letter)
    const timelines = await typeAndMeasure(ada, 'd', 1)
    await waitUntil(() => ada.latency.timelines().every(({ arrivals }) => arrivals.length === 1))
    expect(timelines.length).toBe(1)
    expect(ada.latency.timelines().map(({ edit }) => edit)).toEqual([1, 2, 3, 4])
  })

  test('[W2] in the same browser the neighbour brings it, and both use one clock', async () => {
    const [ada, other] = await oneBrowserLooks()
    const timelines = await typeAndMeasure(ada, 'abc', 1)
    expect(timelines.map(({ arrivals }) => arrivals[0]!.path)).toEqual(['browser', 'browser', 'browser'])
    expect(ada.latency.get().windows).toMatchObject([
      { id: other.page.window, own: true, sameBrowser: true, boundMs: 0.2, paths: { browser: 3, server: 0 } },
    ])
  })

  test('a hidden page reports that it is hidden; nothing is made up for it', async () => {
    const [ada, bob] = await adaLooksAtBob()
    bob.page.hidden = true
    const [one] = await typeAndMeasure(ada, 'a', 1)
    expect(one!.arrivals[0]!.painted).toBe('hidden')
    expect(ada.latency.get().windows).toMatchObject([
      { hidden: 1, received: { count: 1 }, painted: { count: 0 } },
    ])
  })
})

describe('[L2] times across devices', () => {
  test.each([-3_600_000, 2_500])(
    'a clock that is %d ms off leaves them true within the bound',
    async (clockErrorMs) => {
      const [ada] = await adaLooksAtBob({ clockErrorMs })
      const [one] = await typeAndMeasure(ada, 'a', 1)
      const [{ received, boundMs }] = one!.arrivals as [EditTimeline['arrivals'][number]]
      // The edit cannot arrive before it was sent, nor after its trace; both times are known here within the bound.
      expect(received).toBeGreaterThanOrEqual(one!.made - boundMs)
      expect(received).toBeLessThan(1_000 + boundMs)
      expect(ada.latency.get().windows[0]).toMatchObject({ sameBrowser: false, boundMs })
    },
  )
})

describe('measuring', () => {
  test('costs nothing while nobody measures: no watch, no input, no timer', async () => {
    const fixture = await SessionFixture.open()
    const [ada, bob] = [await openMeasured(fixture, 'ada'), await openMeasured(fixture, 'bob')]
    await waitUntilMet(ada, bob)
    const idle = ({ window, page }: LatencyWindow) => ({
      watch: window.handle.session.observer,
      part: window.handle.mainPart.provider.observer,
      input: page.inputWatchers,
      listeners: window.doc._observers.get('beforeTransaction')?.size ?? 0,
    })
    const nothing = idle(ada)
    expect(nothing).toEqual({ watch: null, part: null, input: 0, listeners: expect.any(Number) })
    const end = await startLooking(ada, bob)
    expect(idle(ada)).toMatchObject({ watch: expect.anything(), input: 1, listeners: nothing.listeners + 1 })
    end()
    expect(idle(ada)).toEqual(nothing)
    type(ada.window, 'a')
    await ada.window.whenSaved()
    expect(ada.latency.timelines()).toEqual([])
  })

  test('requests the server’s clock each second while somebody types or windows are compared, else every 5 s', async () => {
    const fixture = await SessionFixture.open()
    const [window, clock] = [fixture.openWindow('ada'), new ManualClock()]
    const latency = latencyOf(window.handle, { ...fakePage('browser'), clock })
    await window.whenSynced
    const asked = async (): Promise<number> => {
      // Answers come in the order of the requests.
      await typeAlone({ window, latency })
      return latency.get().roundTrip.history.length
    }
    latency.observe()
    await clock.pass(900)
    const first = await asked()
    await clock.pass(100)
    const [typeAndMeasure, calm] = [await asked(), clock.now()]
    expect(typeAndMeasure - first).toBe(1)
    await clock.pass(1_000)
    await clock.pass(10_000)
    const rested = await asked()
    expect([rested - typeAndMeasure, clock.now() - calm]).toEqual([3, 11_000])
    const end = latency.observe('person')
    await clock.pass(5_000)
    expect((await asked()) - rested).toBe(5)
    end()
  })

  test('sends nothing if nothing changed', async () => {
    const fixture = await SessionFixture.open()
    const [window, clock] = [fixture.openWindow('ada'), new ManualClock()]
    const latency = latencyOf(window.handle, { ...fakePage('browser'), clock })
    await window.whenSynced
    let notifications = 0
    latency.subscribe(() => (notifications += 1))
    latency.observe()
    await clock.pass(4_000)
    await typeAlone({ window, latency })
    const [before, asked] = [notifications, latency.samples().roundTrips.length]
    expect(latency.get().own.saved.count).toBe(0)
    await clock.pass(1_000)
    await waitUntil(() => latency.samples().roundTrips.length > asked)
    await clock.pass(1_000)
    expect([notifications - before, latency.get().own.saved.count]).toEqual([1, 1])
    await clock.pass(3_000)
    expect(notifications - before).toBe(1)
  })

  test('makes other people’s windows answer without being measured; own windows are, and report', async () => {
    const fixture = await SessionFixture.open()
    const [ada, tablet, bob] = [
      await openMeasured(fixture, 'ada'),
      await openMeasured(fixture, 'ada', { named: 'tablet', clockErrorMs: 700 }),
      await openMeasured(fixture, 'bob'),
    ]
    await waitUntilMet(ada, tablet, bob)
    await startLooking(ada, tablet, bob)
    await typeAndMeasure(tablet, 'abc', 2)
    type(bob.window, 'x')
    await bob.window.whenSaved()
    expect(bob.latency.timelines()).toEqual([])
    const isWhole = ({ own, windows }: LatencyState['receivedSummaries'][number]): boolean =>
      own.saved.count === 3 && windows.length === 2 && windows.every(({ received }) => received.count === 3)
    await waitUntil(() => ada.latency.get().receivedSummaries.some(isWhole))
    const [notifications] = ada.latency.get().receivedSummaries
    expect(notifications).toMatchObject({
      id: tablet.page.window,
      device: 'device of tablet',
      sameBrowser: false,
      link: { transport: 'websocket' },
      windows: [{ received: { count: 3 } }, { received: { count: 3 } }],
    })
    expect(notifications!.timelines.length).toBeGreaterThan(0)
    const { traffic } = tablet.window.handle.session.links.record
    expect(notifications!.traffic.up).toBeGreaterThan(0)
    expect(notifications!.traffic.up).toBeLessThanOrEqual(traffic.bytesUp)
    expect(bob.latency.get().receivedSummaries).toEqual([])
    const names = ada.latency.get().windows.map(({ person, own, device }) => ({ person, own, device }))
    expect(names).toContainEqual({ person: 'ada', own: true, device: 'device of tablet' })
    expect(names).toContainEqual({ person: 'bob', own: false, device: '' })
  })

  test('[W2] brings a whole summary within the browser, without the server', async () => {
    const [ada, other] = await oneBrowserLooks()
    await typeAndMeasure(other, 'abcdefghijkl', 1)
    await waitUntil(() => ada.latency.get().receivedSummaries[0]?.timelines.length === 12)
    expect(ada.latency.get().receivedSummaries[0]).toMatchObject({ sameBrowser: true, id: other.page.window })
  })

  test('reset drops what is unfinished, and counting goes on', async () => {
    const [ada] = await adaLooksAtBob()
    await typeAndMeasure(ada, 'abc', 1)
    ada.latency.reset()
    expect(ada.latency.timelines()).toEqual([])
    const [next] = await typeAndMeasure(ada, 'd', 1)
    expect(next!.edit).toBe(4)
    expect(ada.latency.get().own.saved.count).toBe(1)
  })
})

describe('[L3] samples', () => {
  test('an intended time counts, however late the edit was made', async () => {
    const [ada] = await adaLooksAtBob()
    ada.latency.setIntendedTime(ada.page.now() - 40)
    const [late, onTime] = await typeAndMeasure(ada, 'ab', 1)
    expect(late!.made).toBeGreaterThanOrEqual(40)
    expect(onTime!.made).toBe(0)
  })

  test('the figures are those of the samples', async () => {
    const [ada] = await adaLooksAtBob()
    await typeAndMeasure(ada, 'abcdefghij', 1)
    const { edits } = ada.latency.samples()
    const state = ada.latency.get()
    const largest = (values: (number | 'hidden' | undefined)[]): number => Math.max(...values.map(Number))
    expect(edits.map(({ edit }) => edit)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    expect(state.own.saved.max).toBeCloseTo(largest(edits.map(({ saved }) => saved)), 2)
    expect(state.windows[0]!.painted.max).toBeCloseTo(
      largest(edits.map(({ arrivals }) => arrivals[0]!.painted)),
      2,
    )
    expect(state.perKey!.up).toBeGreaterThan(0)
  })
})

describe('[A6] a trace from a stranger', () => {
  /** Sends what bob's window might, without lib/latency. */
  const forge = ({ window }: LatencyWindow, message: LatencyMessage): void =>
    window.handle.mainPart.provider.sendTrace(0, encodeLatencyMessage(message))

  async function withStranger(): Promise<{
    ada: LatencyWindow
    bob: LatencyWindow
    stamp(): Promise<EditStamp>
  }> {
    const [ada, bob] = await adaLooksAtBob()
    const { provider } = bob.window.handle.mainPart
    const receivedStamps: EditStamp[] = []
    provider.onTrace = (_from, bytes) => {
      const message = readLatencyMessage(bytes)
      if (message?.type === 'stamp') receivedStamps.push(message)
    }
    const stamp = async (): Promise<EditStamp> => {
      type(ada.window, 'a')
      const before = receivedStamps.length
      await waitUntil(() => receivedStamps.length > before)
      return receivedStamps.at(-1)!
    }
    return { ada, bob, stamp }
  }

  const honest = { applied: 0.1, painted: 5, path: 'server' } as const
  const offset = { ms: 0, boundMs: 1 }

  test('counts for nothing if it is of edits that were never made, of another opening, or at impossible times', async () => {
    const { ada, bob, stamp } = await withStranger()
    const { opening, edit } = await stamp()
    const now = ada.page.now()
    const rows = (received: number, of = edit) => [{ edit: of, received, ...honest }]
    forge(bob, { type: 'report', opening, offset, rows: rows(now, edit + 1_000) })
    forge(bob, { type: 'report', opening: opening + 1, offset, rows: rows(now) })
    forge(bob, { type: 'report', opening, offset, rows: rows(now - 60_000) })
    forge(bob, { type: 'report', opening, offset, rows: rows(now + 7_200_000) })
    forge(bob, { type: 'report', opening, offset: null, rows: rows(now) })
    forge(bob, { type: 'summary', summary: '{"id":"x"}' })
    forge(bob, {
      type: 'identity',
      window: ada.page.window,
      browser: ada.page.browser,
      name: 'me',
      device: 'mine',
    })
    // The last trace is honest, and all before it have been received.
    const last = { ...rows(ada.page.now())[0]!, applied: 0.5 }
    forge(bob, { type: 'report', opening, offset, rows: [last] })
    await waitUntil(() => ada.latency.get().windows[0]!.received.count === 1)
    await waitUntil(() => ada.latency.timelines()[0]!.arrivals.length > 0)
    const [{ received, applied }] = ada.latency.timelines()[0]!.arrivals as [EditTimeline['arrivals'][number]]
    expect(applied - received).toBeCloseTo(0.5)
    expect(ada.latency.timelines()[0]!.arrivals).toMatchObject([
      { applied: expect.any(Number), path: 'server' },
    ])
    expect(ada.latency.timelines()[0]!.arrivals[0]!.received).toBeLessThan(10_000)
    expect(ada.latency.get().receivedSummaries).toEqual([])
    expect(ada.latency.get().windows).toMatchObject([{ own: false }])
  })

  test('counts once if it comes twice for one edit', async () => {
    const { ada, bob, stamp } = await withStranger()
    const { opening, edit } = await stamp()
    const row = { edit, received: ada.page.now(), ...honest }
    for (let time = 0; time < 3; time++) forge(bob, { type: 'report', opening, offset, rows: [row, row] })
    const next = await stamp()
    forge(bob, {
      type: 'report',
      opening,
      offset,
      rows: [{ ...row, edit: next.edit, received: ada.page.now() }],
    })
    await waitUntil(() => ada.latency.timelines()[1]!.arrivals.length === 1)
    expect(ada.latency.timelines()[0]!.arrivals.length).toBe(1)
    expect(ada.latency.get().windows[0]!.received.count).toBe(2)
  })

  test('gets no answer if its text has not arrived, since nobody saw it', async () => {
    const { ada, bob } = await withStranger()
    const answers: LatencyMessage[] = []
    bob.window.handle.mainPart.provider.onTrace = (_from, bytes) =>
      void answers.push(readLatencyMessage(bytes)!)
    type(bob.window, 'b')
    await bob.window.whenSaved()
    await waitUntil(() => textOf(ada.window) === 'b')
    forge(bob, { type: 'stamp', opening: 7, edit: 1, clock: 1_000 })
    forge(bob, { type: 'stamp', opening: 7, edit: 2, clock: 1 })
    await waitUntil(() => answers.some(({ type: kind }) => kind === 'report'))
    const rows = answers.flatMap((answer) => (answer.type === 'report' ? answer.rows : []))
    expect(rows.map(({ edit }) => edit)).toEqual([2])
  })
})
