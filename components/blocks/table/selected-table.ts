/** Which table, rows and columns a selection is in. Knows ProseMirror and the schema; does not know Yjs. */
import type { Node, ResolvedPos } from '@tiptap/pm/model'
import type { EditorState } from '@tiptap/pm/state'
import { tableDepthOf } from './is-in-table.ts'
import { parseColumns, type TableColumn } from '@/lib/blocks/table/table-columns.ts'

export interface SelectedTable {
  readonly node: Node
  /** The position before the table. */
  readonly at: number
  readonly columns: readonly TableColumn[]
  /** The first and the last index. */
  readonly selectedRows: Span
  readonly selectedColumns: Span
}

export interface Span {
  readonly first: number
  readonly last: number
}

/** Null for a selection that is not within one table. The innermost one counts. */
export function selectedTable({ selection }: EditorState): SelectedTable | null {
  const { $from, $to } = selection
  const depth = tableDepthOf($from)
  if (depth === null || $to.depth < depth || $to.before(depth) !== $from.before(depth)) return null
  const node = $from.node(depth)
  const columns = parseColumns(node.attrs.columns)
  const ends = [$from, $to].map(($pos) => ({
    row: Math.min($pos.index(depth), node.childCount - 1),
    column: columnIndexOf($pos, depth, columns),
  }))
  const spanOf = (end: 'row' | 'column'): Span => {
    const [a, b] = [ends[0]![end], ends[1]![end]]
    return { first: Math.min(a, b), last: Math.max(a, b) }
  }
  return {
    node,
    at: $from.before(depth),
    columns,
    selectedRows: spanOf('row'),
    selectedColumns: spanOf('column'),
  }
}

function columnIndexOf($pos: ResolvedPos, depth: number, columns: readonly TableColumn[]): number {
  const row = $pos.depth > depth ? $pos.node(depth + 1) : null
  if (!row) return 0
  // The position behind the last cell is still in the last column.
  const cell = row.child(Math.min($pos.index(depth + 1), row.childCount - 1))
  return Math.max(
    0,
    columns.findIndex(({ id }) => id === cell.attrs.col),
  )
}

/** The position before a row. */
export function positionOfRow({ node, at }: SelectedTable, index: number): number {
  let position = at + 1
  for (let row = 0; row < index; row++) position += node.child(row).nodeSize
  return position
}

/** The positions before the cells of a column, the topmost first. */
export function positionsOfColumn({ node, at }: SelectedTable, id: string): number[] {
  const positions: number[] = []
  node.descendants((child, offset, parent) => {
    if (parent === node) return true
    if (child.type.spec.tableRole === 'cell' && child.attrs.col === id) positions.push(at + 1 + offset)
    return false
  })
  return positions
}
