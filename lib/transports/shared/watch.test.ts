import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Watch } from './watch.ts'

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => vi.useRealTimers())

function watching() {
  const said: string[] = []
  return {
    said,
    watch: new Watch({
      patienceMs: () => 1_000,
      ask: () => said.push('ask'),
      onSilent: () => said.push('silent'),
    }),
  }
}

/** How late the machine runs its timers. */
const clock = (ms: number): void => void vi.spyOn(performance, 'now').mockReturnValue(ms)

test('what is answered within a second is followed by no question', () => {
  const { said, watch } = watching()
  for (let round = 0; round < 5; round++) {
    watch.sent()
    vi.advanceTimersByTime(900)
    watch.heard()
  }
  vi.advanceTimersByTime(60_000)
  expect(said).toEqual([])
})

test('what is sent meanwhile grants no further time', () => {
  const { said, watch } = watching()
  clock(0)
  for (let tenth = 0; tenth < 10; tenth++) {
    watch.sent()
    vi.advanceTimersByTime(100)
  }
  expect(said).toEqual(['ask'])
  for (let tenth = 0; tenth < 10; tenth++) {
    watch.sent()
    vi.advanceTimersByTime(100)
  }
  expect(said).toEqual(['ask', 'silent'])
})

test('an answer that comes in time ends it', () => {
  const { said, watch } = watching()
  watch.ask()
  vi.advanceTimersByTime(999)
  watch.heard()
  vi.advanceTimersByTime(60_000)
  expect(said).toEqual(['ask'])
})

test('[S7] a machine that slept over the answer asks again', () => {
  const { said, watch } = watching()
  clock(0)
  watch.ask()
  clock(300_000)
  vi.advanceTimersByTime(1_000)
  expect(said).toEqual(['ask', 'ask'])
  clock(301_000)
  vi.advanceTimersByTime(1_000)
  expect(said).toEqual(['ask', 'ask', 'silent'])
})
