/** Distributions of delays with three digits, in µs (L3). Percentiles come from here and from nowhere else. */
import { build, type Histogram } from 'hdr-histogram-js'
import type { Bucket, Percentiles } from './state.ts'

/** For charts: so many columns from 1 ms to 10 ms, and from there to 100 ms. */
const COLUMNS = 20

/** Grows with what it holds: 8 KiB up to 2 ms, 70 KiB up to a minute. */
const createHistogram = (): Histogram =>
  build({ bitBucketSize: 32, autoResize: true, lowestDiscernibleValue: 1, numberOfSignificantValueDigits: 3 })

/** Times across clocks may come out below nothing, within their bound. */
const toMicros = (ms: number): number => Math.max(0, Math.round(ms * 1000))

function read(histogram: Histogram): Percentiles {
  const { totalCount: count, maxValue: max } = histogram
  if (count === 0) return { count, p50: 0, p95: 0, p99: 0, max: 0 }
  // A histogram answers with the upper end of a value's column.
  const at = (percentile: number): number => Math.min(histogram.getValueAtPercentile(percentile), max) / 1000
  return { count, p50: at(50), p95: at(95), p99: at(99), max: max / 1000 }
}

export class Distribution {
  readonly #histogram = createHistogram()
  readonly #columns = new Map<number, number>()

  record(ms: number): void {
    const micros = toMicros(ms)
    this.#histogram.recordValue(micros)
    const column = Math.ceil(Math.log10(Math.max(micros, 1) / 1000) * COLUMNS)
    this.#columns.set(column, (this.#columns.get(column) ?? 0) + 1)
  }

  get percentiles(): Percentiles {
    return read(this.#histogram)
  }

  /** Of equal width on a logarithmic scale, from the first that holds something to the last. */
  get buckets(): readonly Bucket[] {
    if (this.#columns.size === 0) return []
    const [first, last] = [Math.min(...this.#columns.keys()), Math.max(...this.#columns.keys())]
    return Array.from({ length: last - first + 1 }, (_, index) => ({
      from: 10 ** ((first + index - 1) / COLUMNS),
      to: 10 ** ((first + index) / COLUMNS),
      count: this.#columns.get(first + index) ?? 0,
    }))
  }
}

const scratch = createHistogram()

/** Of a few hundred values, now. */
export function percentilesOf(values: readonly number[]): Percentiles {
  scratch.reset()
  for (const value of values) scratch.recordValue(toMicros(value))
  return read(scratch)
}
