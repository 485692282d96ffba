/** Where the cells of a table's node stand. A merged cell covers several places. Knows ProseMirror and the schema; does not know Yjs. */
import type { Node } from '@tiptap/pm/model'
import { spanOf } from '@/lib/blocks/table/merges.ts'
import { parseColumns, type TableColumn } from '@/lib/blocks/table/table-columns.ts'

export interface TableGrid {
  readonly columns: readonly TableColumn[]
  readonly rowCount: number
  /** In the order of the document. */
  readonly cells: readonly GridCell[]
}

export interface GridCell {
  readonly node: Node
  /** Where it begins, from the beginning of the table's content. */
  readonly offset: number
  readonly rows: Span
  readonly columns: Span
}

/** The first and the last index. */
export interface Span {
  readonly first: number
  readonly last: number
}

export interface CellArea {
  readonly rows: Span
  readonly columns: Span
}

const grids = new WeakMap<Node, TableGrid>()

export function gridOf(table: Node): TableGrid {
  const kept = grids.get(table)
  if (kept) return kept
  const columns = parseColumns(table.attrs.columns)
  const indexes = new Map(columns.map(({ id }, index) => [id, index]))
  const cells: GridCell[] = []
  table.forEach((row, rowOffset, rowIndex) =>
    row.forEach((node, offset, index) => {
      const column = indexes.get(node.attrs.col as string) ?? index
      cells.push({
        node,
        offset: rowOffset + 1 + offset,
        rows: { first: rowIndex, last: rowIndex + spanOf(node.attrs.rowspan) - 1 },
        columns: { first: column, last: column + spanOf(node.attrs.colspan) - 1 },
      })
    }),
  )
  const grid = { columns, rowCount: table.childCount, cells }
  grids.set(table, grid)
  return grid
}

const overlap = (a: Span, b: Span): boolean => a.first <= b.last && b.first <= a.last

const joinSpans = (a: Span, b: Span): Span => ({
  first: Math.min(a.first, b.first),
  last: Math.max(a.last, b.last),
})

const isWithin = (cell: CellArea, { rows, columns }: CellArea): boolean =>
  overlap(cell.rows, rows) && overlap(cell.columns, columns)

export const cellsIn = ({ cells }: TableGrid, area: CellArea): readonly GridCell[] =>
  cells.filter((cell) => isWithin(cell, area))

/** The cell that covers a place. */
export const cellAt = ({ cells }: TableGrid, row: number, column: number): GridCell | undefined =>
  cells.find((cell) =>
    isWithin(cell, { rows: { first: row, last: row }, columns: { first: column, last: column } }),
  )

/** The smallest area around both that cuts no merged cell. */
export function areaAround(grid: TableGrid, one: CellArea, other: CellArea): CellArea {
  let area: CellArea = {
    rows: joinSpans(one.rows, other.rows),
    columns: joinSpans(one.columns, other.columns),
  }
  for (;;) {
    const grown = cellsIn(grid, area).reduce(
      (sum, cell) => ({
        rows: joinSpans(sum.rows, cell.rows),
        columns: joinSpans(sum.columns, cell.columns),
      }),
      area,
    )
    if (lengthOf(grown.rows) === lengthOf(area.rows) && lengthOf(grown.columns) === lengthOf(area.columns))
      return area
    area = grown
  }
}

export const lengthOf = ({ first, last }: Span): number => last - first + 1
