import fc from 'fast-check'
import { expect, test } from 'vitest'
import { overRounds, percentile, summarise } from './stats.ts'

test('percentiles are samples, by nearest rank', () => {
  const sorted = Array.from({ length: 200 }, (_, index) => index + 1)
  expect(percentile(sorted, 0.5)).toBe(100)
  expect(percentile(sorted, 0.95)).toBe(190)
  expect(percentile(sorted, 0.99)).toBe(198)
  expect(percentile(sorted, 1)).toBe(200)
  expect(percentile([7], 0.01)).toBe(7)
})

test('at least the share asked for does not exceed a percentile, and fewer than it lie below', () => {
  const samples = fc.array(fc.double({ noNaN: true }), { minLength: 1 })
  fc.assert(
    fc.property(samples, fc.double({ min: 0.01, max: 1, noNaN: true }), (values, share) => {
      const found = percentile(
        values.toSorted((a, b) => a - b),
        share,
      )
      expect(values.filter((value) => value <= found).length).toBeGreaterThanOrEqual(share * values.length)
      expect(values.filter((value) => value < found).length).toBeLessThan(share * values.length)
    }),
  )
})

test('the order of samples does not matter, and they are left as they were', () => {
  const samples = [3, 1, 2]
  expect(summarise(samples)).toEqual({ count: 3, mean: 2, p50: 2, p95: 3, p99: 3, max: 3 })
  expect(samples).toEqual([3, 1, 2])
})

test('a summary has each percentile under its name', () => {
  const thousand = Array.from({ length: 1_000 }, (_, index) => index + 1)
  expect(summarise(thousand)).toEqual({ count: 1_000, mean: 500.5, p50: 500, p95: 950, p99: 990, max: 1_000 })
})

test('of several rounds: the median and both ends', () => {
  expect(overRounds([3, 1, 2])).toEqual({ median: 2, least: 1, most: 3 })
  expect(overRounds([4, 1, 2, 3])).toEqual({ median: 2.5, least: 1, most: 4 })
})
