import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Recorder, samplesOf, summaryOf } from './histogram.ts'
import { summarise } from './stats.ts'

/** Enough of them to tell p95 from p99. */
const times = fc.array(fc.double({ min: 0.001, max: 100_000, noNaN: true }), {
  minLength: 1,
  maxLength: 300,
  size: 'max',
})

test('[L3] of all clients together, to three digits, what the raw samples say', () => {
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

test('a time that cannot be is not recorded', () => {
  const recorder = new Recorder()
  expect(() => recorder.record(-0.1)).toThrow('-0.1 ms is no sample')
  expect(() => recorder.record(Number.NaN)).toThrow('NaN')
})

test('of no samples there is no figure, and with others they change nothing', () => {
  expect(summaryOf([])).toMatchObject({ count: 0, p50: Number.NaN })
  const some = samplesOf([1, 2, 3])
  expect(summaryOf([new Recorder().samples, some])).toEqual(summaryOf([some]))
})

test('[L3] percentiles by nearest rank', () => {
  const { p50, p95, p99, max } = summaryOf([samplesOf(Array.from({ length: 1000 }, (_, index) => index + 1))])
  for (const [found, exact] of [
    [p50, 500] as const,
    [p95, 950] as const,
    [p99, 990] as const,
    [max, 1000] as const,
  ])
    expect(Math.abs(found - exact)).toBeLessThan(exact * 0.0015)
})

test('what took longer than an hour took an hour', () => {
  const { count, max } = summaryOf([samplesOf([1, 5_000_000])])
  expect(count).toBe(2)
  expect(Math.abs(max - 3_600_000)).toBeLessThan(3_600_000 * 0.002)
})
