/** Lines measured at different moments, over one axis. Knows nothing of how they are drawn. */

export interface Point {
  readonly x: number
  readonly y: number
}

export interface Aligned {
  /** Ascending, each once. */
  readonly x: readonly number[]
  /** One list a line, as long as `x`; null where that line has no point. */
  readonly lines: readonly (readonly (number | null)[])[]
}

export function aligned(lines: readonly (readonly Point[])[]): Aligned {
  const x = [...new Set(lines.flatMap((points) => points.map((point) => point.x)))].toSorted((a, b) => a - b)
  return { x, lines: lines.map((points) => along(x, points)) }
}

function along(x: readonly number[], points: readonly Point[]): (number | null)[] {
  const known = new Map(points.map((point) => [point.x, point.y]))
  return x.map((at) => known.get(at) ?? null)
}
