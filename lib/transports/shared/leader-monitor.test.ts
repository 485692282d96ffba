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
      sendPing: () => calls.push('ping'),
      onSilent: () => calls.push('silent'),
    }),
  }
}

/** Sets the time, to show how late the machine runs its timers. */
const mockTime = (ms: number): void => void vi.spyOn(performance, 'now').mockReturnValue(ms)

test('a message answered within a second causes no ping', () => {
  const { calls, monitor } = createFixture()
  for (let round = 0; round < 5; round++) {
    monitor.onSent()
    vi.advanceTimersByTime(900)
    monitor.onReceived()
  }
  vi.advanceTimersByTime(60_000)
  expect(calls).toEqual([])
})

test('messages sent meanwhile give no further time', () => {
  const { calls, monitor } = createFixture()
  mockTime(0)
  for (let tenth = 0; tenth < 10; tenth++) {
    monitor.onSent()
    vi.advanceTimersByTime(100)
  }
  expect(calls).toEqual(['ping'])
  for (let tenth = 0; tenth < 10; tenth++) {
    monitor.onSent()
    vi.advanceTimersByTime(100)
  }
  expect(calls).toEqual(['ping', 'silent'])
})

test('an answer in time ends the check', () => {
  const { calls, monitor } = createFixture()
  monitor.ping()
  vi.advanceTimersByTime(999)
  monitor.onReceived()
  vi.advanceTimersByTime(60_000)
  expect(calls).toEqual(['ping'])
})

test('[S7] a machine that slept through the answer pings again', () => {
  const { calls, monitor } = createFixture()
  mockTime(0)
  monitor.ping()
  mockTime(300_000)
  vi.advanceTimersByTime(1_000)
  expect(calls).toEqual(['ping', 'ping'])
  mockTime(301_000)
  vi.advanceTimersByTime(1_000)
  expect(calls).toEqual(['ping', 'ping', 'silent'])
})
