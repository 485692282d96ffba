/** Puts pasted cells into a table, from the selected cell on. The table grows where they need more room. */
import { Fragment, type Node, type Schema, Slice } from '@tiptap/pm/model'
import type { EditorState, Transaction } from '@tiptap/pm/state'
import {
  createColumn,
  formatColumns,
  MAX_CELLS,
  MAX_COLUMNS,
  newColumnId,
} from '@/lib/blocks/table/table-columns.ts'
import { CellSelection } from './cell-selection.ts'
import { selectedTable, positionOfRow, type SelectedTable } from './selected-table.ts'
import { gridOf, lengthOf } from './table-grid.ts'

/** The content of each pasted cell, by row; null for a place that a merged cell covers. */
export type CellContents = readonly (readonly (Fragment | null)[])[]

/** Null for a slice of other content than one table. */
export function cellsOfSlice({ content }: Slice): CellContents | null {
  const table = content.childCount === 1 ? content.firstChild! : null
  if (table?.type.spec.tableRole !== 'table') return null
  const { cells, columns, rowCount } = gridOf(table)
  const contents = Array.from({ length: rowCount }, () =>
    Array.from({ length: columns.length }, (): Fragment | null => null),
  )
  for (const cell of cells) contents[cell.rows.first]![cell.columns.first] = cell.node.content
  return contents
}

/** Null outside of a table, and where the table would become too large. */
export function fillCells(state: EditorState, contents: CellContents): Transaction | null {
  const table = selectedTable(state)
  if (!table) return null
  const [only] = contents[0]!
  const isSingle = contents.length === 1 && contents[0]!.length === 1 && only
  if (isSingle && !(state.selection instanceof CellSelection))
    return state.tr.replaceSelection(Slice.maxOpen(only, false))
  const { selectedRows, selectedColumns } = table
  return isSingle
    ? placeContents(
        state,
        table,
        Array.from({ length: lengthOf(selectedRows) }, () =>
          Array.from({ length: lengthOf(selectedColumns) }, () => only),
        ),
      )
    : placeContents(state, table, contents)
}

function placeContents(
  { tr, schema }: EditorState,
  table: SelectedTable,
  contents: CellContents,
): Transaction | null {
  const { node, at, selectedRows, selectedColumns } = table
  const [top, left] = [selectedRows.first, selectedColumns.first]
  const bottom = top + contents.length
  const width = Math.max(table.columns.length, left + Math.max(...contents.map((row) => row.length)))
  if (width > MAX_COLUMNS || width * Math.max(node.childCount, bottom) > MAX_CELLS) return null
  const columns = [...table.columns]
  while (columns.length < width) columns.push(createColumn(newColumnId()))
  const rows = contents.map((row, index) => {
    const present = node.maybeChild(top + index)
    const filled = new Map(row.map((content, offset) => [columns[left + offset]!.id, content]))
    return fillRow(
      schema,
      present,
      columns.map(({ id }) => id),
      filled,
    )
  })
  tr.setNodeAttribute(at, 'columns', formatColumns(columns))
  tr.replaceWith(
    positionOfRow(table, top),
    positionOfRow(table, Math.min(bottom, node.childCount)),
    Fragment.from(rows),
  )
  return selectFilled(tr, at, { top, left, bottom, right: left + contents[0]!.length })
}

/** @param filled The new content of cells, by column. */
function fillRow(
  { nodes }: Schema,
  row: Node | null,
  columns: readonly string[],
  filled: ReadonlyMap<string, Fragment | null>,
): Node {
  if (!row)
    return nodes.tableRow!.create(
      null,
      columns.map((col) => {
        const content = filled.get(col)
        return content ? nodes.tableCell!.create({ col }, content) : nodes.tableCell!.createAndFill({ col })!
      }),
    )
  const present = new Set(row.children.map(({ attrs }) => attrs.col as string))
  const cells = row.children.map((cell) => {
    const content = filled.get(cell.attrs.col as string)
    return content ? cell.copy(content) : cell
  })
  const added = columns.flatMap((col) => {
    const content = present.has(col) ? null : filled.get(col)
    return content ? [nodes.tableCell!.create({ col }, content)] : []
  })
  return row.copy(Fragment.from([...cells, ...added]))
}

function selectFilled(
  tr: Transaction,
  table: number,
  { top, left, bottom, right }: { top: number; left: number; bottom: number; right: number },
): Transaction {
  const grid = gridOf(tr.doc.nodeAt(table)!)
  const within = grid.cells.filter(
    ({ rows, columns }) =>
      rows.first >= top && rows.first < bottom && columns.first >= left && columns.first < right,
  )
  return within.length > 0
    ? tr.setSelection(CellSelection.between(tr.doc, table, within[0]!, within.at(-1)!))
    : tr
}
