/** Selects cells: by dragging from one to another, and where a selection of letters would go beyond its cell. */
import type { Node, ResolvedPos } from '@tiptap/pm/model'
import { type EditorState, Plugin, type Selection, TextSelection } from '@tiptap/pm/state'
import { Decoration, DecorationSet, type EditorView } from '@tiptap/pm/view'
import { cellAround, CellSelection, cellsBetween } from './cell-selection.ts'

const selectedCell = { class: 'selected-cell' }

export function cellSelecting(): Plugin {
  let isDragging = false
  return new Plugin({
    props: {
      decorations({ doc, selection }) {
        if (!(selection instanceof CellSelection)) return null
        const marks = selection.ranges.map(({ $from }) =>
          Decoration.node($from.before(), $from.after(), selectedCell),
        )
        return DecorationSet.create(doc, marks)
      },
      handleDOMEvents: {
        mousedown(view, event) {
          return startDragging(view, event, (dragging) => (isDragging = dragging))
        },
        // Selected cells are not dragged, neither by the browser nor by ProseMirror: a press on them begins a new selection.
        dragstart(view, event) {
          const isRefused =
            view.state.selection instanceof CellSelection && cellBelowPointer(view, event) !== null
          if (isRefused) event.preventDefault()
          return isRefused
        },
      },
      // The browser selects letters meanwhile.
      createSelectionBetween: (view) => (isDragging ? view.state.selection : null),
    },
    appendTransaction: (_transactions, _before, state) => {
      const cells = cellsOfLetters(state)
      return cells && state.tr.setSelection(cells)
    },
  })
}

/** Null for letters of one cell, or with an end outside of all tables. */
function cellsOfLetters({ selection }: EditorState): Selection | null {
  if (!(selection instanceof TextSelection) || selection.empty) return null
  const { $anchor, $head } = selection
  for (let depth = Math.min($anchor.depth, $head.depth); depth > 0; depth--) {
    const isShared = $anchor.start(depth) === $head.start(depth)
    if (!isShared || $anchor.node(depth).type.spec.tableRole !== 'table') continue
    const [anchor, head] = [cellBelow($anchor, depth), cellBelow($head, depth)]
    return anchor && head && anchor.pos !== head.pos ? cellsBetween(anchor, head) : null
  }
  return null
}

/** The position before the cell of the table at this depth. */
const cellBelow = ($pos: ResolvedPos, table: number): ResolvedPos | null =>
  $pos.depth >= table + 2 ? $pos.node(0).resolve($pos.before(table + 2)) : null

function startDragging(view: EditorView, event: MouseEvent, setDragging: (isOn: boolean) => void): boolean {
  const start = event.button === 0 ? cellBelowPointer(view, event) : null
  if (!start) return false
  if (event.shiftKey) return extendTo(view, event, start)
  const stop = new AbortController()
  const end = (): void => {
    stop.abort()
    setDragging(false)
  }
  const onMove = (move: MouseEvent): void => {
    if (view.isDestroyed || move.buttons === 0) return end()
    const { selection, doc, tr } = view.state
    const head = cellBelowPointer(view, move)
    const isWithin = head?.pos === start.pos && !(selection instanceof CellSelection)
    if (!head || isWithin) return
    const cells = selectionOf(doc, start.pos, head.pos)
    if (!cells || cells.eq(selection)) return
    setDragging(true)
    view.dispatch(tr.setSelection(cells))
  }
  addEventListener('mousemove', onMove, stop)
  addEventListener('mouseup', end, stop)
  return false
}

/** Shift and a click select all up to that cell. */
function extendTo(view: EditorView, event: MouseEvent, head: ResolvedPos): boolean {
  const { selection, doc, tr } = view.state
  const anchor = selection instanceof CellSelection ? selection.$anchorCell : cellAround(selection.$anchor)
  const cells = anchor && anchor.pos !== head.pos ? selectionOf(doc, anchor.pos, head.pos) : null
  if (!cells) return false
  event.preventDefault()
  view.dispatch(tr.setSelection(cells))
  return true
}

/** Null for cells of different tables, and where the document has changed meanwhile. */
function selectionOf(doc: Node, anchor: number, head: number): CellSelection | null {
  if (Math.max(anchor, head) > doc.content.size) return null
  const selection = cellsBetween(doc.resolve(anchor), doc.resolve(head))
  return selection instanceof CellSelection ? selection : null
}

/** The position before the innermost cell below the pointer. */
function cellBelowPointer(view: EditorView, { target }: Event): ResolvedPos | null {
  const element = target instanceof Text ? target.parentElement : target
  const cell = element instanceof Element && view.dom.contains(element) ? element.closest('td, th') : null
  if (!cell) return null
  return cellAround(view.state.doc.resolve(view.posAtDOM(cell, 0)))
}
