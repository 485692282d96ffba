import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { LeaderMonitor } from './leader-monitor.ts'

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => vi.useRealTimers())

function createFixture() {
  const calls: string[] = []
  return {
    calls,
    monitor: new LeaderMonitor({
      answerTimeoutMs: () => 1_000,
      sendPing: () => calls.push('ask'),
      onSilent: () => calls.push('silent'),
    }),
  }
}

/** How late the machine runs its timers. */
const mockTime = (ms: number): void => void vi.spyOn(performance, 'now').mockReturnValue(ms)

test('what is answered within a second is followed by no question', () => {
  const { calls, monitor } = createFixture()
  for (let round = 0; round < 5; round++) {
    monitor.onSent()
    vi.advanceTimersByTime(900)
    monitor.onReceived()
  }
  vi.advanceTimersByTime(60_000)
  expect(calls).toEqual([])
})

test('what is sent meanwhile grants no further time', () => {
  const { calls, monitor } = createFixture()
  mockTime(0)
  for (let tenth = 0; tenth < 10; tenth++) {
    monitor.onSent()
    vi.advanceTimersByTime(100)
  }
  expect(calls).toEqual(['ask'])
  for (let tenth = 0; tenth < 10; tenth++) {
    monitor.onSent()
    vi.advanceTimersByTime(100)
  }
  expect(calls).toEqual(['ask', 'silent'])
})

test('an answer that comes in time ends it', () => {
  const { calls, monitor } = createFixture()
  monitor.ping()
  vi.advanceTimersByTime(999)
  monitor.onReceived()
  vi.advanceTimersByTime(60_000)
  expect(calls).toEqual(['ask'])
})

test('[S7] a machine that slept over the answer asks again', () => {
  const { calls, monitor } = createFixture()
  mockTime(0)
  monitor.ping()
  mockTime(300_000)
  vi.advanceTimersByTime(1_000)
  expect(calls).toEqual(['ask', 'ask'])
  mockTime(301_000)
  vi.advanceTimersByTime(1_000)
  expect(calls).toEqual(['ask', 'ask', 'silent'])
})
