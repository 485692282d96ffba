import { expect, test } from 'vitest'
import { RateLimit, RateLimits } from './rate-limit.ts'

const rate = { atOnce: 5, perSecond: 10 }

const createClock = () => ({ at: 0, now: () => 0 })

function createManualClock() {
  const clock = createClock()
  clock.now = () => clock.at
  return clock
}

test('[A6] a bucket gives so many at once and so many a second, and no more after a long wait', () => {
  const clock = createManualClock()
  const limit = new RateLimit(rate, clock)
  const countTaken = (tries: number) =>
    Array.from({ length: tries }, () => limit.take()).filter(Boolean).length
  expect(countTaken(9)).toBe(5)
  clock.at += 300
  expect(countTaken(9)).toBe(3)
  clock.at += 60_000
  expect(countTaken(9)).toBe(5)
})

test('a cost is taken whole or not at all, and the wait is known', () => {
  const clock = createManualClock()
  const limit = new RateLimit(rate, clock)
  expect([limit.take(4), limit.take(2), limit.waitMs(2), limit.take(1)]).toEqual([true, false, 100, true])
  expect([limit.waitMs(6), limit.waitMs(5)]).toEqual([Infinity, 500])
  clock.at += 500
  expect([limit.waitMs(5), limit.isFull, limit.take(5), limit.isFull]).toEqual([0, true, true, false])
})

test('a refund can be taken again, up to the full bucket', () => {
  const limits = new RateLimits(rate, createManualClock())
  limits.refund('a')
  limits.take('a', 5)
  limits.refund('a')
  expect([limits.take('a'), limits.take('a')]).toEqual([0, 100])
  limits.refund('a', 99)
  expect([limits.take('a', 5), limits.take('a')]).toEqual([0, 100])
})

test('each key has its own bucket; null limits nothing', () => {
  const clock = createManualClock()
  const limits = new RateLimits(rate, clock)
  for (let n = 0; n < 5; n++) expect(limits.take('a')).toBe(0)
  expect([limits.waitMs('new', 1_000_000), limits.waitMs('new')]).toEqual([Infinity, 0])
  expect([limits.take('a'), limits.waitMs('a'), limits.take('b'), limits.waitMs('c')]).toEqual([
    100, 100, 0, 0,
  ])
  const unlimited = new RateLimits(null, clock)
  for (let n = 0; n < 1000; n++) expect(unlimited.take('a', 1000)).toBe(0)
  expect(unlimited.size).toBe(0)
})

test('[A6] memory is bounded: full buckets are dropped first, then the least recently used', () => {
  const clock = createManualClock()
  const limits = new RateLimits(rate, clock, 8)
  limits.take('empty', 5)
  clock.at += 100
  for (let n = 0; n < 7; n++) limits.take(`light ${n}`)
  clock.at += 150
  limits.take('one more') // the lightly used buckets are full again
  expect([limits.size, limits.take('empty', 5)]).toEqual([2, expect.any(Number)])
  expect(limits.take('empty', 5)).toBeGreaterThan(0)
  for (let n = 0; n < 1000; n++) limits.take(`flood ${n}`, 5)
  expect(limits.size).toBeLessThanOrEqual(8)
  expect(limits.take('flood 999')).toBeGreaterThan(0)
})

test('[A6] by default 50,000 keys are remembered', () => {
  const limits = new RateLimits(rate, createManualClock())
  for (let n = 0; n < 50_001; n++) limits.take(`${n}`, 5)
  expect(limits.size).toBeLessThanOrEqual(50_000)
  expect(limits.size).toBeGreaterThan(40_000)
})
