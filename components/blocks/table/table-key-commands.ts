/** What the keys do in a table. */
import { GapCursor } from '@tiptap/pm/gapcursor'
import type { ResolvedPos } from '@tiptap/pm/model'
import { type EditorState, Selection, type Transaction } from '@tiptap/pm/state'
import type { EditorView } from '@tiptap/pm/view'
import { cellAround, CellSelection } from './cell-selection.ts'
import { tableDepthOf } from './is-in-table.ts'
import { goToCell, moveColumns, moveRows } from './table-commands.ts'
import { cellAt, type GridCell, gridOf } from './table-grid.ts'

type Direction = 'up' | 'down' | 'left' | 'right'

const arrows: Readonly<Record<string, Direction>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'left',
  ArrowRight: 'right',
}

/** Returns whether the key was one of the table's. */
export function handleTableKey(view: EditorView, event: KeyboardEvent): boolean {
  const { key, shiftKey, altKey } = event
  const hasMod = event.ctrlKey || event.metaKey
  const direction = arrows[key]
  const { selection } = view.state
  if (hasMod) return false
  if (direction && altKey) return shiftKey && moveSelected(view, direction)
  if (selection instanceof CellSelection) return onCellsKey(view, selection, event)
  if (key === 'Tab') return isInLineOfCell(view.state) && run(view, goToCell(shiftKey ? -1 : 1))
  if (!direction || !endsCell(view, direction)) return false
  if (shiftKey) return selectToward(view, direction)
  return (direction === 'up' || direction === 'down') && goToward(view, direction)
}

type TableCommand = (state: EditorState, dispatch: (tr: Transaction) => void) => boolean

function run(view: EditorView, command: TableCommand): true {
  command(view.state, (tr) => view.dispatch(tr))
  return true
}

const moveSelected = (view: EditorView, direction: Direction): true =>
  run(
    view,
    direction === 'up' || direction === 'down'
      ? moveRows(direction === 'up' ? -1 : 1)
      : moveColumns(direction === 'left' ? -1 : 1),
  )

/** In a list or in code within a cell, Tab does what it does there. */
const isInLineOfCell = ({ selection: { $from } }: EditorState): boolean =>
  $from.depth > 1 && $from.node(-1).type.spec.tableRole === 'cell' && !$from.parent.type.spec.code

function onCellsKey(view: EditorView, selection: CellSelection, { key, shiftKey }: KeyboardEvent): boolean {
  const { tr, doc } = view.state
  const direction = arrows[key]
  if (direction && shiftKey) return selectToward(view, direction)
  if (key === 'Tab') return run(view, goToCell(shiftKey ? -1 : 1))
  if (key === 'Backspace' || key === 'Delete') view.dispatch(tr.deleteSelection().scrollIntoView())
  else if (direction || key === 'Enter' || key === 'Escape') {
    const head = selection.$headCell
    const isStart = direction === 'up' || direction === 'left'
    const edge = isStart ? head.pos + 1 : head.pos + head.nodeAfter!.nodeSize - 1
    view.dispatch(tr.setSelection(Selection.near(doc.resolve(edge), isStart ? 1 : -1)).scrollIntoView())
  } else return false
  return true
}

/** Whether the caret stands where this arrow leaves its cell. */
function endsCell(view: EditorView, direction: Direction): boolean {
  const { $head } = view.state.selection
  const cell = cellAround($head)
  if (!cell || !view.endOfTextblock(direction)) return false
  const isBackward = direction === 'up' || direction === 'left'
  const edge = isBackward ? cell.pos + 1 : cell.pos + cell.nodeAfter!.nodeSize - 1
  const between = view.state.doc.slice(Math.min(edge, $head.pos), Math.max(edge, $head.pos))
  let others = 0
  between.content.descendants((node) => {
    if (node.isTextblock || node.isAtom) others += 1
    return !node.isTextblock
  })
  return others <= 1
}

/** The neighbour of a cell in its table; undefined at the edge. */
function neighbourOf(
  grid: ReturnType<typeof gridOf>,
  { rows, columns }: GridCell,
  direction: Direction,
): GridCell | undefined {
  const row = direction === 'up' ? rows.first - 1 : direction === 'down' ? rows.last + 1 : rows.first
  const column =
    direction === 'left' ? columns.first - 1 : direction === 'right' ? columns.last + 1 : columns.first
  return cellAt(grid, row, column)
}

/** Extends the selection by the cell in that direction. */
function selectToward(view: EditorView, direction: Direction): boolean {
  const { selection, doc, tr } = view.state
  const isCells = selection instanceof CellSelection
  const [anchor, head] = isCells
    ? [selection.$anchorCell, selection.$headCell]
    : [cellAround(selection.$anchor), cellAround(selection.$head)]
  if (!anchor || !head) return false
  const [start, grid] = [head.start(-1), gridOf(head.node(-1))]
  const current = grid.cells.find(({ offset }) => start + offset === head.pos)
  const next = current && neighbourOf(grid, current, direction)
  if (!next) return isCells
  view.dispatch(tr.setSelection(new CellSelection(anchor, doc.resolve(start + next.offset))).scrollIntoView())
  return true
}

function goToward(view: EditorView, direction: Direction): boolean {
  const { selection, doc, tr } = view.state
  const { $head } = selection
  const depth = tableDepthOf($head)
  const cell = cellAround($head)
  if (depth === null || !cell) return false
  const [start, grid] = [cell.start(-1), gridOf(cell.node(-1))]
  const current = grid.cells.find(({ offset }) => start + offset === cell.pos)
  const next = current && neighbourOf(grid, current, direction)
  if (!next) return leaveTable(view, doc.resolve(direction === 'down' ? cell.after(-1) : cell.before(-1)))
  const at = start + next.offset
  const $target = doc.resolve(direction === 'down' ? at + 1 : at + next.node.nodeSize - 1)
  view.dispatch(tr.setSelection(Selection.near($target, direction === 'down' ? 1 : -1)).scrollIntoView())
  return true
}

/** Beside a line, the arrow goes there by itself. */
function leaveTable(view: EditorView, $edge: ResolvedPos): boolean {
  // ProseMirror's own types leave this method out.
  const { valid } = GapCursor as unknown as { valid($pos: ResolvedPos): boolean }
  if (!valid($edge)) return false
  view.dispatch(view.state.tr.setSelection(new GapCursor($edge)).scrollIntoView())
  return true
}
