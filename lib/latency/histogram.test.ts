import fc from 'fast-check'
import { expect, test } from 'vitest'
import { percentilesOf } from './histogram.ts'

/** Spans from a µs to a minute, each magnitude equally likely, and enough of them to tell p95 from p99. */
const spans = fc.array(
  fc.double({ min: 0, max: Math.log10(60e6), noNaN: true }).map((power) => 10 ** power / 1000),
  { minLength: 1, maxLength: 300, size: 'max' },
)

/** The definition: the least value that this share of all values does not exceed. */
const exact = (values: readonly number[], percent: number): number => {
  const sorted = values.map((ms) => Math.round(ms * 1000) / 1000).toSorted((a, b) => a - b)
  return sorted[Math.max(1, Math.ceil((percent / 100) * sorted.length)) - 1]!
}

test('[L3] percentiles are those of the values, to three digits', () => {
  fc.assert(
    fc.property(spans, (values) => {
      const { count, p50, p95, p99, max } = percentilesOf(values)
      expect(count).toBe(values.length)
      for (const [got, percent] of [
        [p50, 50],
        [p95, 95],
        [p99, 99],
        [max, 100],
      ] as const) {
        const wanted = exact(values, percent)
        expect(Math.abs(got - wanted)).toBeLessThanOrEqual(wanted * 0.001 + 0.001)
      }
    }),
  )
})

test('[L3] without values there are no percentiles, and a negative value counts as 0', () => {
  expect(percentilesOf([])).toEqual({ count: 0, p50: 0, p95: 0, p99: 0, max: 0 })
  expect(percentilesOf([-0.4])).toMatchObject({ count: 1, max: 0 })
})
test('[L3] a percentile is no greater than the greatest value', () => {
  expect(percentilesOf([12.345_678])).toMatchObject({ p50: 12.346, p95: 12.346, p99: 12.346, max: 12.346 })
})
