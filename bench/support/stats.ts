/** Calculates percentiles of raw samples, and medians over rounds. Percentiles are never averaged (L3). */
import jStat from 'jstat'

export interface Summary {
  readonly count: number
  readonly mean: number
  readonly p50: number
  readonly p95: number
  readonly p99: number
  readonly max: number
}

/** Returns the percentile by nearest rank: the smallest sample that at least `share` of all do not exceed. */
export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN
}

export function summarise(samples: readonly number[]): Summary {
  const sorted = samples.toSorted((a, b) => a - b)
  return {
    count: sorted.length,
    mean: jStat.mean(sorted),
    p50: percentile(sorted, 0.5),
    p95: percentile(sorted, 0.95),
    p99: percentile(sorted, 0.99),
    max: percentile(sorted, 1),
  }
}

export interface Spread {
  readonly median: number
  readonly least: number
  readonly most: number
}

/** Summarises one figure of several rounds. If their number is even, the median is the mean of the middle two. */
export function overRounds(figures: readonly number[]): Spread {
  const sorted = figures.toSorted((a, b) => a - b)
  return { median: jStat.median(sorted), least: percentile(sorted, 0), most: percentile(sorted, 1) }
}
