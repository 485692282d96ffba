/** Computes percentiles, always from a histogram of µs with three digits (L3). */
import { build } from 'hdr-histogram-js'
import type { Percentiles } from './latency-state.ts'

/** Its memory grows with its range: 8 KiB up to 2 ms, 70 KiB up to a minute. */
const histogram = build({
  bitBucketSize: 32,
  autoResize: true,
  lowestDiscernibleValue: 1,
  numberOfSignificantValueDigits: 3,
})

/** Spans between two clocks may be negative, within their bound. */
const toMicros = (ms: number): number => Math.max(0, Math.round(ms * 1000))

/** Takes a few hundred values, in ms. */
export function percentilesOf(values: readonly number[]): Percentiles {
  histogram.reset()
  for (const value of values) histogram.recordValue(toMicros(value))
  const { totalCount: count, maxValue: max } = histogram
  if (count === 0) return { count, p50: 0, p95: 0, p99: 0, max: 0 }
  // The histogram returns the upper end of a value's bucket.
  const at = (percentile: number): number => Math.min(histogram.getValueAtPercentile(percentile), max) / 1000
  return { count, p50: at(50), p95: at(95), p99: at(99), max: max / 1000 }
}
