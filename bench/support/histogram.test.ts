import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LatencyRecorder, samplesOf, summaryOf } from './histogram.ts'
import { summarise } from './stats.ts'

/** Enough of them to tell p95 from p99. */
const times = fc.array(fc.double({ min: 0.001, max: 100_000, noNaN: true }), {
  minLength: 1,
  maxLength: 300,
  size: 'max',
})

test('[L3] the summary of all clients together is that of their raw samples, to three digits', () => {
  fc.assert(
    fc.property(fc.array(times, { minLength: 1, maxLength: 4 }), (clients) => {
      const exact = summarise(clients.flat())
      const found = summaryOf(clients.map(samplesOf))
      expect(found.count).toBe(exact.count)
      expect(found.mean).toBeCloseTo(exact.mean, 6)
      for (const name of ['p50', 'p95', 'p99', 'max'] as const)
        expect(Math.abs(found[name] - exact[name])).toBeLessThanOrEqual(exact[name] * 0.002 + 0.002)
    }),
  )
})

test('an impossible time is not recorded', () => {
  const recorder = new LatencyRecorder()
  expect(() => recorder.record(-0.1)).toThrow('-0.1 ms is no sample')
  expect(() => recorder.record(Number.NaN)).toThrow('NaN')
})

test('no samples have no figure, and change nothing when others are there', () => {
  expect(summaryOf([])).toMatchObject({ count: 0, p50: Number.NaN })
  const some = samplesOf([1, 2, 3])
  expect(summaryOf([new LatencyRecorder().samples, some])).toEqual(summaryOf([some]))
})

test('a time over an hour counts as an hour', () => {
  const { count, max } = summaryOf([samplesOf([1, 5_000_000])])
  expect(count).toBe(2)
  expect(Math.abs(max - 3_600_000)).toBeLessThan(3_600_000 * 0.002)
})
