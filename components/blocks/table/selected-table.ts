/** Which table, rows and columns a selection is in. Knows ProseMirror and the schema; does not know Yjs. */
import type { Node, ResolvedPos } from '@tiptap/pm/model'
import type { EditorState } from '@tiptap/pm/state'
import type { TableColumn } from '@/lib/blocks/table/table-columns.ts'
import { CellSelection } from './cell-selection.ts'
import { tableDepthOf } from './is-in-table.ts'
import { areaAround, type CellArea, gridOf, type Span, type TableGrid } from './table-grid.ts'

export interface SelectedTable {
  readonly node: Node
  /** The position before the table. */
  readonly at: number
  readonly columns: readonly TableColumn[]
  readonly selectedRows: Span
  readonly selectedColumns: Span
}

/** Null for a selection that is not within one table. The innermost one counts. */
export function selectedTable({ selection }: EditorState): SelectedTable | null {
  if (selection instanceof CellSelection)
    return describe(selection.table, selection.tableStart, selection.area)
  const { $from, $to } = selection
  const depth = tableDepthOf($from)
  if (depth === null || $to.depth < depth || $to.before(depth) !== $from.before(depth)) return null
  const node = $from.node(depth)
  const grid = gridOf(node)
  const area = areaAround(grid, areaOf($from, depth, grid), areaOf($to, depth, grid))
  return describe(node, $from.before(depth), area)
}

const describe = (node: Node, at: number, { rows, columns }: CellArea): SelectedTable => ({
  node,
  at,
  columns: gridOf(node).columns,
  selectedRows: rows,
  selectedColumns: columns,
})

/** The position behind the last cell of a row is still in the last column. */
function areaOf($pos: ResolvedPos, depth: number, { cells, rowCount }: TableGrid): CellArea {
  const offset = $pos.pos - $pos.start(depth)
  const first = { first: 0, last: 0 }
  const row = Math.min($pos.index(depth), rowCount - 1)
  const cell = cells.findLast((one) => one.offset <= offset && one.rows.first === row)
  return cell ?? { rows: { first: row, last: row }, columns: first }
}

/** The position before a row. */
export function positionOfRow({ node, at }: SelectedTable, index: number): number {
  let position = at + 1
  for (let row = 0; row < index; row++) position += node.child(row).nodeSize
  return position
}

/** The positions before the cells of a column, the topmost first. */
export const positionsOfColumn = ({ node, at }: SelectedTable, id: string): number[] =>
  gridOf(node).cells.flatMap((cell) => (cell.node.attrs.col === id ? [at + 1 + cell.offset] : []))
