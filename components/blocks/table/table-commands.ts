/**
 * Commands that change the table around the selection. Each changes the document of the editor, and the binding writes that: columns are one
 * attribute of the table's node, so that adding, moving or deleting one changes this attribute alone, and the binding draws the cells.
 */
import type { Node, Schema } from '@tiptap/pm/model'
import { type Command, Selection, TextSelection, type Transaction } from '@tiptap/pm/state'
import {
  type ColumnAlignment,
  columnWidthOf,
  createColumn,
  formatColumns,
  MAX_CELLS,
  MAX_COLUMNS,
  newColumnId,
  parseColumns,
  type TableColumn,
} from '@/lib/blocks/table/table-columns.ts'
import { createRow } from './insert-table.ts'
import { cellAround, CellSelection } from './cell-selection.ts'
import { positionOfRow, positionsOfColumn, selectedTable, type SelectedTable } from './selected-table.ts'
import { cellsIn, gridOf, lengthOf } from './table-grid.ts'

/** In CSS pixels. */
const USUAL_COLUMN_WIDTH = 160

type Change = (tr: Transaction, table: SelectedTable, schema: Schema) => Transaction | null

/** A command that applies within a table, wherever the change is not null. */
const onTable =
  (change: Change): Command =>
  (state, dispatch) => {
    const table = selectedTable(state)
    const tr = table && change(state.tr, table, state.schema)
    if (tr) dispatch?.(tr.scrollIntoView())
    return Boolean(tr)
  }

// Columns

const withColumns = (tr: Transaction, { at }: SelectedTable, columns: readonly TableColumn[]): Transaction =>
  tr.setNodeAttribute(at, 'columns', formatColumns(columns))

const hasRoom = ({ node, columns }: SelectedTable, rows: number, more: number): boolean =>
  columns.length + more <= MAX_COLUMNS && (node.childCount + rows) * (columns.length + more) <= MAX_CELLS

export const addColumn = (side: 'before' | 'after'): Command =>
  onTable((tr, table) => {
    const { columns, selectedColumns } = table
    const index = side === 'before' ? selectedColumns.first : selectedColumns.last + 1
    if (!hasRoom(table, 0, 1)) return null
    widenMerged(tr, table, 'columns', index)
    return withColumns(tr, table, columns.toSpliced(index, 0, createColumn(newColumnId())))
  })

export const deleteColumns: Command = onTable((tr, table) => {
  const {
    columns,
    selectedColumns: { first, last },
  } = table
  const rest = columns.toSpliced(first, last - first + 1)
  return rest.length > 0 ? withColumns(tr, table, rest) : deleteWhole(tr, table)
})

/** @param by How many columns the selected ones pass; less than 0 toward the first. */
export const moveColumns = (by: number): Command =>
  onTable((tr, table) => {
    const moved = moveSpan(table.columns, table.selectedColumns, by)
    return moved && withColumns(tr, table, moved)
  })

export const duplicateColumns: Command = onTable((tr, table) => {
  const {
    columns,
    selectedColumns: { first, last },
  } = table
  const copied = columns.slice(first, last + 1)
  if (!hasRoom(table, 0, copied.length)) return null
  const copies = copied.map((column) => ({ ...column, id: newColumnId() }))
  for (const [index, { id }] of copied.entries()) {
    for (const at of positionsOfColumn(table, id).toReversed()) {
      const cell = table.node.nodeAt(at - table.at - 1)!
      tr.insert(
        tr.mapping.map(at + cell.nodeSize),
        cell.type.create({ ...cell.attrs, col: copies[index]!.id }, cell.content),
      )
    }
  }
  return withColumns(tr, table, columns.toSpliced(last + 1, 0, ...copies))
})

export const alignColumns = (align: ColumnAlignment | null): Command =>
  onTable((tr, table) =>
    withColumns(
      tr,
      table,
      changeSelected(table, (column) => ({ ...column, align })),
    ),
  )

/** A column that is as wide as its content begins from the width that most have. */
export const resizeColumns = (by: number): Command =>
  onTable((tr, table) =>
    withColumns(
      tr,
      table,
      changeSelected(table, (column) => resizeColumn(column, by)),
    ),
  )

const resizeColumn = (column: TableColumn, by: number): TableColumn => ({
  ...column,
  width: columnWidthOf((column.width ?? USUAL_COLUMN_WIDTH) + by),
})

/** False where somebody else has deleted the column meanwhile. */
export const setColumnWidth =
  (table: number, id: string, width: number): Command =>
  ({ doc, tr }, dispatch) => {
    const columns = parseColumns(doc.nodeAt(table)?.attrs.columns)
    if (!columns.some((column) => column.id === id)) return false
    const resized = columns.map((column) => (column.id === id ? { ...column, width } : column))
    dispatch?.(tr.setNodeAttribute(table, 'columns', formatColumns(resized)))
    return true
  }

const changeSelected = (
  { columns, selectedColumns: { first, last } }: SelectedTable,
  change: (column: TableColumn) => TableColumn,
): TableColumn[] =>
  columns.map((column, index) => (index >= first && index <= last ? change(column) : column))

/** Null at the end. */
function moveSpan<Item>(
  items: readonly Item[],
  { first, last }: SelectedTable['selectedRows'],
  by: number,
): Item[] | null {
  if (first + by < 0 || last + by >= items.length) return null
  const rest = items.toSpliced(first, last - first + 1)
  return rest.toSpliced(first + by, 0, ...items.slice(first, last + 1))
}

/** A merged cell that reaches over a new row or column covers that, too. */
function widenMerged(tr: Transaction, table: SelectedTable, axis: 'rows' | 'columns', index: number): void {
  for (const cell of gridOf(table.node).cells) {
    const span = cell[axis]
    if (span.first < index && index <= span.last)
      tr.setNodeAttribute(table.at + 1 + cell.offset, spanNames[axis], lengthOf(span) + 1)
  }
}

const spanNames = { rows: 'rowspan', columns: 'colspan' } as const

// Rows

export const addRow = (side: 'before' | 'after'): Command =>
  onTable((tr, table, schema) => {
    const { selectedRows } = table
    if (!hasRoom(table, 1, 0)) return null
    const index = side === 'before' ? selectedRows.first : selectedRows.last + 1
    const at = positionOfRow(table, index)
    widenMerged(tr, table, 'rows', index)
    tr.insert(at, createRow(schema, table.columns))
    return tr.setSelection(Selection.near(tr.doc.resolve(at + 2)))
  })

export const deleteRows: Command = onTable((tr, table) => {
  const {
    node,
    selectedRows: { first, last },
  } = table
  if (last - first + 1 === node.childCount) return deleteWhole(tr, table)
  return tr.delete(positionOfRow(table, first), positionOfRow(table, last + 1))
})

/** The nodes stay the same, by which the binding sees that the rows have moved. */
export const moveRows = (by: number): Command =>
  onTable((tr, table) => {
    const {
      node,
      selectedRows: { first, last },
    } = table
    if (by === 0 || first + by < 0 || last + by >= node.childCount) return null
    const [from, to] = [positionOfRow(table, first), positionOfRow(table, last + 1)]
    const { selection } = tr
    const target =
      by < 0 ? positionOfRow(table, first + by) : positionOfRow(table, last + by + 1) - (to - from)
    const rows = tr.doc.slice(from, to).content
    tr.delete(from, to).insert(target, rows)
    return tr.setSelection(movedBy(selection, tr.doc, target - from))
  })

function movedBy(selection: Selection, doc: Node, by: number): Selection {
  if (!(selection instanceof CellSelection)) return Selection.near(doc.resolve(selection.anchor + by))
  const [anchor, head] = [selection.$anchorCell.pos + by, selection.$headCell.pos + by]
  return new CellSelection(doc.resolve(anchor), doc.resolve(head))
}

export const duplicateRows: Command = onTable((tr, table) => {
  const {
    selectedRows: { first, last },
  } = table
  if (!hasRoom(table, last - first + 1, 0)) return null
  const [from, to] = [positionOfRow(table, first), positionOfRow(table, last + 1)]
  return tr.insert(to, tr.doc.slice(from, to).content)
})

// Cells

/** Of the selected cells, or of the one with the caret. */
export const emptyCells: Command = ({ selection, tr }, dispatch) => {
  const cell = cellAround(selection.$head)
  const cells = selection instanceof CellSelection ? selection : cell && new CellSelection(cell)
  if (cells) dispatch?.(tr.setSelection(cells).deleteSelection().scrollIntoView())
  return cells !== null
}

/** The binding draws the cells that are covered, and what they hold, in the first one. */
export const mergeCells: Command = ({ selection, tr }, dispatch) => {
  if (!(selection instanceof CellSelection) || !canMerge(selection)) return false
  const { table, tableStart, area } = selection
  const [first, ...others] = cellsIn(gridOf(table), area)
  const at = tableStart + 1 + first!.offset
  for (const { offset, node } of others) if (isMerged(node)) setSpans(tr, tableStart + 1 + offset, 1, 1)
  setSpans(tr, at, lengthOf(area.rows), lengthOf(area.columns))
  dispatch?.(tr.setSelection(new CellSelection(tr.doc.resolve(at))))
  return true
}

/** A row keeps a cell of its own. */
function canMerge({ table, area, ranges }: CellSelection): boolean {
  const isWholeRows = lengthOf(area.columns) === gridOf(table).columns.length
  return ranges.length > 1 && !(isWholeRows && lengthOf(area.rows) > 1)
}

/** Each cell shows again what is its own. */
export const splitCells: Command = onTable((tr, { node, at, selectedRows, selectedColumns }) => {
  const merged = cellsIn(gridOf(node), { rows: selectedRows, columns: selectedColumns }).filter((cell) =>
    isMerged(cell.node),
  )
  for (const { offset } of merged) setSpans(tr, at + 1 + offset, 1, 1)
  return merged.length > 0 ? tr : null
})

const isMerged = ({ attrs }: Node): boolean => attrs.rowspan > 1 || attrs.colspan > 1

const setSpans = (tr: Transaction, at: number, rowspan: number, colspan: number): Transaction =>
  tr.setNodeAttribute(at, 'rowspan', rowspan).setNodeAttribute(at, 'colspan', colspan)

// The table

export const toggleHead = (head: 'headerRow' | 'headerColumn'): Command =>
  onTable((tr, { at, node }) => tr.setNodeAttribute(at, head, node.attrs[head] !== true))

export const deleteTable: Command = onTable((tr, table) => deleteWhole(tr, table))

/** A line stays where the text would be empty without. */
function deleteWhole(tr: Transaction, { at, node }: SelectedTable): Transaction {
  tr.deleteRange(at, at + node.nodeSize)
  return tr.setSelection(Selection.near(tr.doc.resolve(Math.min(at, tr.doc.content.size))))
}

/** Goes to the next or previous cell. At the end of the table Tab makes a row. */
export const goToCell =
  (by: -1 | 1): Command =>
  (state, dispatch) => {
    const table = selectedTable(state)
    if (!table) return false
    const cells = gridOf(table.node).cells.map(({ offset }) => table.at + 1 + offset)
    const head = state.selection.$head.pos
    const current = cells.findLastIndex((at) => at < head)
    const target = cells[current + by]
    if (target === undefined) return by > 0 ? addRow('after')(state, dispatch) : true
    if (dispatch) {
      const cell = state.doc.nodeAt(target)!
      const $start = state.doc.resolve(target + 1)
      const $end = state.doc.resolve(target + cell.nodeSize - 1)
      dispatch(state.tr.setSelection(TextSelection.between($start, $end)).scrollIntoView())
    }
    return true
  }
