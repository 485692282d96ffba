/** A table on the screen, as its handles and its menu find it. */
import type { EditorView } from '@tiptap/pm/view'
import type { HeldWidths } from './held-widths.ts'

export interface ShownTable {
  readonly view: EditorView
  readonly frame: HTMLElement
  readonly table: HTMLTableElement
  readonly widths: HeldWidths
  /** Selects all of the row or the column of a cell. */
  select(part: 'row' | 'column', cell: HTMLTableCellElement): void
  /** Moves what is selected beside the row or the column of another cell. */
  moveSelected(part: 'row' | 'column', target: HTMLTableCellElement, side: 'before' | 'after'): void
  /** The id of the column that ends with a cell. */
  columnEndedBy(cell: HTMLTableCellElement): string | null
  resize(column: string, width: number): void
}
