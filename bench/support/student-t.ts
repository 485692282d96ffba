/** Tells by Student's t whether two means differ by more than chance, and how far a slope may be off. */
import jStat from 'jstat'

export interface TTest {
  readonly t: number
  readonly degreesOfFreedom: number
  /** The chance of a difference at least as large between equal means. */
  readonly p: number
}

/** Welch's t-test of independent samples, which need not spread alike; NaN if one of them has fewer than two. */
export function tTest(one: readonly number[], other: readonly number[]): TTest {
  // The squared standard errors of the means.
  const [a, b] = [one, other].map((samples) => jStat.variance(samples, true) / samples.length) as [
    number,
    number,
  ]
  const t = (jStat.mean(one) - jStat.mean(other)) / Math.sqrt(a + b)
  const degreesOfFreedom = (a + b) ** 2 / (a ** 2 / (one.length - 1) + b ** 2 / (other.length - 1))
  return { t, degreesOfFreedom, p: 2 * jStat.studentt.cdf(-Math.abs(t), degreesOfFreedom) }
}

export interface Slope {
  /** y a unit of x. */
  readonly slope: number
  /** Half of the two-sided interval of 95 %; NaN below four points. */
  readonly bound: number
}

/** Fits a line by least squares. */
export function slopeOf(points: readonly (readonly [x: number, y: number])[]): Slope {
  const freedom = points.length - 2
  const [meanX, meanY] = [jStat.mean(points.map(([x]) => x)), jStat.mean(points.map(([, y]) => y))]
  const spread = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0)
  const slope = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0) / spread
  if (freedom < 2) return { slope, bound: Number.NaN }
  const rest = points.reduce((sum, [x, y]) => sum + (y - meanY - slope * (x - meanX)) ** 2, 0)
  return { slope, bound: jStat.studentt.inv(0.975, freedom) * Math.sqrt(rest / freedom / spread) }
}
