import fc from 'fast-check'
import { expect, test } from 'vitest'
import { overRounds, percentile, summarise } from './stats.ts'

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

test('the order of samples does not matter, and stays', () => {
  const samples = [3, 1, 2]
  expect(summarise(samples)).toEqual({ count: 3, mean: 2, p50: 2, p95: 3, p99: 3, max: 3 })
  expect(samples).toEqual([3, 1, 2])
})

test('a summary has each percentile under its name', () => {
  const thousand = Array.from({ length: 1_000 }, (_, index) => index + 1)
  expect(summarise(thousand)).toEqual({ count: 1_000, mean: 500.5, p50: 500, p95: 950, p99: 990, max: 1_000 })
})

test('several rounds have a median, a least and a most; none have no figure', () => {
  expect(overRounds([3, 1, 2])).toEqual({ median: 2, least: 1, most: 3 })
  expect(overRounds([4, 1, 2, 3])).toEqual({ median: 2.5, least: 1, most: 4 })
  expect(overRounds([])).toEqual({ median: Number.NaN, least: Number.NaN, most: Number.NaN })
})
