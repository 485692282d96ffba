/** What the schema reads of a pasted table, besides its cells. */
import { cellsOf, rowsOf } from './html-table-parts.ts'
import { spanOf } from './merges.ts'
import { type ColumnAlignment, createColumn, formatColumns, MAX_COLUMNS } from './table-columns.ts'

const alignments: Readonly<Record<string, ColumnAlignment>> = {
  left: 'left',
  start: 'left',
  center: 'center',
  right: 'right',
  end: 'right',
}

/** The columns of its first row, with the widths and alignments that are the same in all programs. */
export function columnsOfHtml(table: Element): string {
  const widths = [...table.querySelectorAll('col')].map((column) =>
    Number.parseFloat(column.getAttribute('width') ?? column.style.width),
  )
  const cells = rowsOf(table).slice(0, 1).flatMap(cellsOf).slice(0, MAX_COLUMNS)
  const columns = cells.map((cell, index) => {
    const width = Math.round(widths[index] ?? Number.NaN)
    const align =
      alignments[cell.style.textAlign || cell.getAttribute('align') || cell.dataset['align'] || ''] ?? null
    return { ...createColumn(String(index), align), width: Number.isNaN(width) ? null : width }
  })
  return formatColumns(columns)
}

export const spansOfHtml = (cell: HTMLElement): Readonly<Record<string, number>> => ({
  rowspan: spanOf(Number(cell.getAttribute('rowspan'))),
  colspan: spanOf(Number(cell.getAttribute('colspan'))),
})

export function hasHeadOfHtml(table: Element, head: 'row' | 'column'): boolean {
  const rows = rowsOf(table).map(cellsOf)
  const cells = head === 'row' ? (rows[0] ?? []) : rows.map(([first]) => first)
  const others = head === 'row' ? rows.slice(1).flatMap((row) => row.slice(1)) : []
  return (
    cells.length > 0 &&
    cells.every((cell) => cell?.localName === 'th') &&
    others.every((cell) => cell.localName !== 'th')
  )
}
