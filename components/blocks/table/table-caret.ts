/** Where the caret stands once the menu of a handle has closed: where it was, or in what its command has added. */
import type { Node, ResolvedPos } from '@tiptap/pm/model'
import { type Command, type EditorState, Selection, TextSelection, type Transaction } from '@tiptap/pm/state'
import { CellSelection } from './cell-selection.ts'
import { cellAt, gridOf, lengthOf } from './table-grid.ts'

interface View {
  readonly state: EditorState
  dispatch(transaction: Transaction): void
}

interface CaretPlace {
  readonly row: number
  /** The id of a column. */
  readonly column: string
  /** From the beginning of the cell. Null for a caret that was in no cell of this table. */
  readonly offsets: readonly [anchor: number, head: number] | null
}

/** Brings back what was selected before a handle selected cells. */
export function restoreSelection(view: View): void {
  const { selection, tr } = view.state
  if (selection instanceof CellSelection && selection.before) view.dispatch(tr.setSelection(selection.before))
}

/** Runs a command. On cells that a handle has selected, the caret takes their place: a letter that is typed next would empty them. */
export function runWithCaret(view: View, command: Command): void {
  const { selection } = view.state
  let after: Transaction | null = null
  command(view.state, (tr) => {
    after = tr
    view.dispatch(tr)
  })
  if (!after || !(selection instanceof CellSelection) || !selection.before) return
  // The binding has drawn the cells of a new column by now.
  const caret = caretAfter(after, selection, selection.before, view.state.doc)
  if (caret) view.dispatch(view.state.tr.setSelection(caret).scrollIntoView())
}

/** Null where the table is gone. */
function caretAfter(tr: Transaction, cells: CellSelection, before: Selection, doc: Node): Selection | null {
  const { tableStart, table } = cells
  if (tr.mapping.mapResult(tableStart).deletedAfter) return null
  const place = placeOf(cells, before)
  const grid = gridOf(doc.nodeAt(tableStart)!)
  const ids = grid.columns.map(({ id }) => id)
  const known = new Set(gridOf(table).columns.map(({ id }) => id))
  const row = rowAfter(tr, cells, place.row)
  const added = ids.findIndex((id) => !known.has(id))
  const own = ids.indexOf(place.column)
  const column = added >= 0 ? added : own >= 0 ? own : Math.min(cells.area.columns.first, ids.length - 1)
  const cell = cellAt(grid, row.index, column)
  if (!cell) return null
  const start = tableStart + 1 + cell.offset
  const isOwn = row.isOwn && column === own && cell.rows.first === row.index && cell.columns.first === column
  const end = cell.node.nodeSize - 1
  const kept = (isOwn && place.offsets) || []
  const [$anchor, $head] = kept.map((offset) => doc.resolve(start + Math.min(offset, end)))
  return $anchor?.parent.inlineContent && $head?.parent.inlineContent
    ? new TextSelection($anchor, $head)
    : Selection.near(doc.resolve(start + end), -1)
}

/** The first of the selected cells stands for a caret that is in none of their table. */
function placeOf({ table, tableStart, area }: CellSelection, before: Selection): CaretPlace {
  const { $anchor, $head } = before
  const { cells, columns } = gridOf(table)
  const [anchor, head] = [$anchor, $head].map(($pos) => cellOf($pos, tableStart))
  const cell = cells.find(({ offset }) => tableStart + 1 + offset === head)
  if (!cell || head == null)
    return { row: area.rows.first, column: columns[area.columns.first]!.id, offsets: null }
  const [from, to] = [$anchor.pos - head, $head.pos - head]
  return {
    row: cell.rows.first,
    column: columns[cell.columns.first]!.id,
    offsets: [before instanceof TextSelection && anchor === head ? from : to, to],
  }
}

/** The position before the cell of this table around a position. */
function cellOf($pos: ResolvedPos, table: number): number | null {
  for (let depth = $pos.depth - 2; depth > 0; depth--)
    if ($pos.before(depth) === table) return $pos.before(depth + 2)
  return null
}

interface RowAfter {
  readonly index: number
  /** Whether it is the row that was there before. */
  readonly isOwn: boolean
}

function rowAfter(
  { doc, selection }: Transaction,
  { table, tableStart, area }: CellSelection,
  row: number,
): RowAfter {
  const { first, last } = area.rows
  const isSelected = row >= first && row <= last
  const more = doc.nodeAt(tableStart)!.childCount - table.childCount
  const isOfCells = selection instanceof CellSelection
  // A new row has the caret already. A copy stands behind the selected rows.
  if (more > 0)
    return {
      index: isOfCells ? last + 1 : selection.$head.index(doc.resolve(tableStart).depth + 1),
      isOwn: false,
    }
  if (more < 0)
    return isSelected
      ? { index: Math.min(first, table.childCount + more - 1), isOwn: false }
      : { index: row > last ? row + more : row, isOwn: true }
  const moved = isOfCells ? selection.area.rows.first - first : 0
  const isPassed = moved < 0 ? row >= first + moved && row < first : row > last && row <= last + moved
  const by = isSelected ? moved : isPassed ? -Math.sign(moved) * lengthOf(area.rows) : 0
  return { index: row + by, isOwn: true }
}
