/** Keeps many samples in few bytes, as an HDR histogram in µs with three digits of each value. */
import {
  build,
  decodeFromCompressedBase64,
  encodeIntoCompressedBase64,
  type Histogram,
} from 'hdr-histogram-js'
import type { Summary } from './stats.ts'

export interface Samples {
  readonly count: number
  readonly mean: number
  /** Compressed HDR histogram, values in µs. */
  readonly hdr: string
}

const HOUR_US = 3_600_000_000

const emptyHistogram = (): Histogram =>
  build({ lowestDiscernibleValue: 1, highestTrackableValue: HOUR_US, numberOfSignificantValueDigits: 3 })

export class LatencyRecorder {
  readonly #histogram = emptyHistogram()
  #sum = 0

  /** @throws {RangeError} for a time below zero, which only a broken clock gives. */
  record(ms: number): void {
    if (!(ms >= 0)) throw new RangeError(`${ms} ms is no sample`)
    this.#histogram.recordValue(Math.min(HOUR_US, Math.round(ms * 1000)))
    this.#sum += ms
  }

  get count(): number {
    return this.#histogram.totalCount
  }

  get samples(): Samples {
    const { count } = this
    return { count, mean: this.#sum / count, hdr: encodeIntoCompressedBase64(this.#histogram) }
  }
}

export const samplesOf = (all: readonly number[]): Samples => {
  const recorder = new LatencyRecorder()
  for (const ms of all) recorder.record(ms)
  return recorder.samples
}

/** Summarises the samples of several clients or processes together, in ms. Percentiles are of all samples, never averaged (L3). */
export function summaryOf(parts: readonly Samples[]): Summary {
  const all = merged(parts)
  const count = parts.reduce((sum, part) => sum + part.count, 0)
  const at = (percentile: number): number =>
    count === 0 ? Number.NaN : all.getValueAtPercentile(percentile) / 1000
  return {
    count,
    mean: parts.reduce((sum, part) => sum + (part.count && part.mean * part.count), 0) / count,
    p50: at(50),
    p95: at(95),
    p99: at(99),
    max: at(100),
  }
}

function merged(parts: readonly Samples[]): Histogram {
  const all = emptyHistogram()
  for (const { hdr } of parts) all.add(decodeFromCompressedBase64(hdr, 32, false))
  return all
}
