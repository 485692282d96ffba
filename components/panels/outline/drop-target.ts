/** Between which rows of the outline something is dropped. Knows heights; does not know the page. */
import type { Heading } from '@/lib/text/headings.ts'

export interface RowEdges {
  readonly top: number
  readonly bottom: number
}

/** The number of the row that is to follow: 0 above the first, the number of rows below the last. */
export function dropRowAt(rows: readonly RowEdges[], y: number): number {
  const below = rows.findIndex(({ top, bottom }) => y < (top + bottom) / 2)
  return below < 0 ? rows.length : below
}

/** Before which top block that is. A heading within a quote has no place of its own: the next that has one counts. */
export const dropBlockIndex = (headings: readonly Heading[], row: number, blocks: number): number =>
  headings.slice(row).find(({ index }) => index !== null)?.index ?? blocks
