import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ClockEstimate, MAX_SAMPLE_AGE_MS } from './clock-estimate.ts'

// Uses whole numbers, since nearly all doubles up to 500 are close to zero.
const delay = fc.integer({ min: 0, max: 5_000 }).map((tenths) => tenths / 10)
const ahead = fc.integer({ min: -1e9, max: 1e9 })

test('[L2] whatever the request and the answer took, the true offset lies within the bound', () => {
  fc.assert(
    fc.property(
      ahead,
      fc.array(fc.tuple(delay, delay, delay), { minLength: 1, maxLength: 20 }),
      (truth, trips) => {
        const clock = new ClockEstimate()
        let now = 1_000
        for (const [up, down, pause] of trips) {
          clock.add(now, now + up + down, now + up + truth)
          now += up + down + pause
        }
        const { ms, boundMs } = clock.get(now)!
        expect(Math.abs(ms - truth)).toBeLessThanOrEqual(boundMs)
      },
    ),
  )
})

test('[L2] it stays true for clocks that drift apart by 50 millionths', () => {
  const clock = new ClockEstimate()
  const theirs = (now: number): number => now * (1 + 50e-6) + 7
  clock.add(0, 2, theirs(1))
  const { ms, boundMs } = clock.get(50_000)!
  expect(Math.abs(ms - (theirs(50_000) - 50_000))).toBeLessThanOrEqual(boundMs)
})

test('[L2] the quickest answer counts, until it is too old', () => {
  const clock = new ClockEstimate()
  clock.add(0, 2, 1 + 100)
  clock.add(10, 110, 100 + 100)
  expect(clock.get(200)!.boundMs).toBeLessThan(2)
  expect(clock.get(MAX_SAMPLE_AGE_MS + 10)!.boundMs).toBeGreaterThan(50)
  expect(clock.get(MAX_SAMPLE_AGE_MS * 3)).toBe(null)
})

test.each([
  ['before it was asked', 10, 5, 7],
  ['at no time', 10, 20, NaN],
  ['at the end of time', 10, 20, Infinity],
  ['after an hour', 10, 3_600_000, 7],
])('an answer %s is ignored', (_how, asked, answered, remoteTime) => {
  const clock = new ClockEstimate()
  clock.add(asked, answered, remoteTime)
  expect(clock.get(20)).toBe(null)
})
