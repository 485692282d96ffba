import { describe, expect, test } from 'vitest'
import { retryDelayMs } from './retry-delay.ts'

describe('[S8] reconnecting uses full jitter and obeys the server', () => {
  test.each([
    // attempt, random, retry-after, delay
    [0, 0, undefined, 0],
    [0, 0.5, undefined, 125],
    [0, 1, undefined, 250],
    [1, 1, undefined, 500],
    [2, 0.5, undefined, 500],
    [4, 1, undefined, 4_000],
    [5, 1, undefined, 5_000],
    [6, 0.1, undefined, 500],
    [1_000_000, 1, undefined, 5_000],
    [0, 0, 2_000, 2_000],
    [0, 1, 2_000, 4_000],
    [0, 0.5, 100, 225],
    [6, 1, 2_000, 7_000],
    [0, 0, 0, 0],
    // A captive portal may send any number; a timer with too large a number would fire at once.
    [0, 0, 31_536_000_000, 300_000],
    [0, 1, Infinity, 600_000],
  ])('attempt %d, random %d, retry-after %s: %d ms', (attempt, random, retryAfterMs, delay) => {
    const reason = { code: 'overloaded', ...(retryAfterMs !== undefined && { retryAfterMs }) } as const
    expect(retryDelayMs({ attempt, random, reason })).toBe(delay)
  })
  test.each([
    [0, 0],
    [1, 500],
  ])('attempt %d after what held the shared link is gone: %d ms at the most', (attempt, delay) => {
    expect(retryDelayMs({ attempt, random: 1, reason: { code: 'handed-over' } })).toBe(delay)
  })
})
