/** Percentiles of raw samples, and medians over rounds. Percentiles are never averaged (L3). */

export interface Summary {
  readonly count: number
  readonly mean: number
  readonly p50: number
  readonly p95: number
  readonly p99: number
  readonly max: number
}

/** Exact, by nearest rank: the smallest sample that at least `share` of all do not exceed. */
export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN
}

export function summarise(samples: readonly number[]): Summary {
  const sorted = samples.toSorted((a, b) => a - b)
  return {
    count: sorted.length,
    mean: sorted.reduce((sum, sample) => sum + sample, 0) / sorted.length,
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

/** One figure of several rounds. Of an even number of rounds the median is the mean of the middle two. */
export function overRounds(figures: readonly number[]): Spread {
  const sorted = figures.toSorted((a, b) => a - b)
  const upper = Math.floor(sorted.length / 2)
  const lower = Math.ceil(sorted.length / 2) - 1
  return {
    median: ((sorted[lower] ?? Number.NaN) + (sorted[upper] ?? Number.NaN)) / 2,
    least: percentile(sorted, 0),
    most: percentile(sorted, 1),
  }
}
