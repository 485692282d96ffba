/** Counts durations by how long they were. It knows no names and no library; whoever reads it makes percentiles of it. */

/** The upper bounds of the buckets, in seconds: a commit takes 0.2 ms, and nobody waits longer than 10 s. */
export const DURATION_BOUNDS_S: readonly number[] = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
]

export class DurationHistogram {
  /** One number for each bound, and one for all that took longer than the last. */
  readonly buckets: number[] = [...DURATION_BOUNDS_S.map(() => 0), 0]
  sumSeconds = 0

  record(seconds: number): void {
    const found = DURATION_BOUNDS_S.findIndex((bound) => seconds <= bound)
    this.buckets[found === -1 ? DURATION_BOUNDS_S.length : found]! += 1
    this.sumSeconds += seconds
  }

  /** @param startedAt A time of `performance.now()`. */
  recordSince(startedAt: number): void {
    this.record((performance.now() - startedAt) / 1000)
  }
}

/**
 * Estimates a percentile in seconds, in equal steps between the bounds of its bucket, as Prometheus does. Null if nothing was counted.
 * @param quantile Between 0 and 1.
 */
export function percentileOf(buckets: readonly number[], quantile: number): number | null {
  const total = buckets.reduce((sum, count) => sum + count, 0)
  if (total === 0) return null
  const rank = quantile * total
  let below = 0
  for (const [index, count] of buckets.entries()) {
    if (count > 0 && below + count >= rank) {
      const lower = DURATION_BOUNDS_S[index - 1] ?? 0
      const upper = DURATION_BOUNDS_S[index] ?? lower
      return lower + (upper - lower) * ((rank - below) / count)
    }
    below += count
  }
  return DURATION_BOUNDS_S.at(-1)!
}
