/** How the lines of a chart differ: by colour, by dash and by name. */

export interface LineStyle {
  /** The custom property that holds the line's colour; the dark theme has another value. */
  readonly property: `--chart-${number}`
  readonly dash: readonly number[]
}

const dashes = [[], [7, 3], [2, 3], [10, 3, 2, 3], [5, 2], [1, 4]] as const

/** From the seventh line on, only the names differ. */
export function lineStyle(index: number): LineStyle {
  const at = index % dashes.length
  return { property: `--chart-${at + 1}`, dash: dashes[at]! }
}
