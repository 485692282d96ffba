/** Finds the two outline rows between which something is dropped. Knows heights; does not know the page. */
import type { Heading } from '@/lib/text/headings.ts'

export interface RowEdges {
  readonly top: number
  readonly bottom: number
}

/** The index of the row after the drop: 0 above the first, the number of rows below the last. */
export function dropRowAt(rows: readonly RowEdges[], y: number): number {
  const below = rows.findIndex(({ top, bottom }) => y < (top + bottom) / 2)
  return below < 0 ? rows.length : below
}

/** The index of the top-level block at that row. A heading within a quote has none of its own: the next one that has counts. */
export const dropBlockIndex = (headings: readonly Heading[], row: number, blocks: number): number =>
  headings.slice(row).find(({ index }) => index !== null)?.index ?? blocks
