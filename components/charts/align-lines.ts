/** Puts lines that were measured at different moments on one x axis. Knows nothing of how they are drawn. */

export interface ChartPoint {
  readonly x: number
  readonly y: number
}

export interface AlignedLines {
  /** Ascending, without duplicates. */
  readonly x: readonly number[]
  /** One list per line, as long as `x`; null where that line has no point. */
  readonly lines: readonly (readonly (number | null)[])[]
}

export function alignLines(lines: readonly (readonly ChartPoint[])[]): AlignedLines {
  const x = [...new Set(lines.flatMap((points) => points.map((point) => point.x)))].toSorted((a, b) => a - b)
  return { x, lines: lines.map((points) => valuesAlong(x, points)) }
}

function valuesAlong(x: readonly number[], points: readonly ChartPoint[]): (number | null)[] {
  const valuesByX = new Map(points.map((point) => [point.x, point.y]))
  return x.map((at) => valuesByX.get(at) ?? null)
}
