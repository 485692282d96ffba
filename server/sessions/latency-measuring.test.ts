/** When windows measure their delays, and what it costs. */
import { describe, expect, test } from 'vitest'
import { waitUntil } from '../../lib/fixtures/wait.ts'
import { fakePage } from '../../lib/latency/fixtures/fake-page.ts'
import { latencyOf } from '../../lib/latency/latency.ts'
import type { LatencyState } from '../../lib/latency/latency-state.ts'
import { ManualClock } from '../../lib/session/fixtures/manual-clock.ts'
import {
  adaLooksAtBob,
  type LatencyWindow,
  oneBrowserLooks,
  openMeasured,
  startLooking,
  typeAlone,
  typeAndMeasure,
  waitUntilMet,
} from './fixtures/latency-windows.ts'
import { SessionFixture, type } from './fixtures/session-fixture.ts'

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
    const [whileTyping, calm] = [await asked(), clock.now()]
    expect(whileTyping - first).toBe(1)
    await clock.pass(1_000)
    await clock.pass(10_000)
    const rested = await asked()
    expect([rested - whileTyping, clock.now() - calm]).toEqual([3, 11_000])
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
