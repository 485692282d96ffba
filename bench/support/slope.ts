/** The line of least squares, and how far its slope may be off. */

export interface Slope {
  /** y a unit of x. */
  readonly slope: number
  /** Half of the two-sided interval of 95 %, by Student's t; NaN below four points. */
  readonly bound: number
}

export function slopeOf(points: readonly (readonly [x: number, y: number])[]): Slope {
  const count = points.length
  const mean = (of: 0 | 1) => points.reduce((sum, point) => sum + point[of], 0) / count
  const [meanX, meanY] = [mean(0), mean(1)]
  const spread = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0)
  const slope = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0) / spread
  if (count < 4) return { slope, bound: Number.NaN }
  const rest = points.reduce((sum, [x, y]) => sum + (y - meanY - slope * (x - meanX)) ** 2, 0)
  return { slope, bound: tOf(count - 2) * Math.sqrt(rest / (count - 2) / spread) }
}

/** Student's t, two-sided 95 %: by Cornish and Fisher's expansion about 1.96, within 1 % from two degrees of freedom on. */
function tOf(freedom: number): number {
  const z = 1.959964
  const terms = [
    (z ** 3 + z) / 4,
    (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96,
    (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / 384,
    (79 * z ** 9 + 776 * z ** 7 + 1482 * z ** 5 - 1920 * z ** 3 - 945 * z) / 92_160,
  ]
  return terms.reduce((sum, term, index) => sum + term / freedom ** (index + 1), z)
}
