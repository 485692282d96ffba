import { expect, test } from 'vitest'
import { DURATION_BOUNDS_S, DurationHistogram, percentileOf } from './duration-histogram.ts'

test('a duration is counted at the first bound that it does not pass', () => {
  const histogram = new DurationHistogram()
  for (const seconds of [0.0005, 0.0006, 10, 11]) histogram.record(seconds)
  const { buckets, sumSeconds } = histogram
  expect([buckets[0], buckets[1], buckets.at(-2), buckets.at(-1)]).toEqual([1, 1, 1, 1])
  expect(sumSeconds).toBeCloseTo(21.0011)
})

test('a percentile lies between the bounds of its bucket; the last bound stands for all that is longer', () => {
  const histogram = new DurationHistogram()
  expect(percentileOf(histogram.buckets, 0.5)).toBe(null)
  for (let count = 0; count < 99; count++) histogram.record(0.004)
  histogram.record(60)
  expect(percentileOf(histogram.buckets, 0.5)).toBeGreaterThan(0.0025)
  expect(percentileOf(histogram.buckets, 0.5)).toBeLessThanOrEqual(0.005)
  expect(percentileOf(histogram.buckets, 1)).toBe(DURATION_BOUNDS_S.at(-1))
})
