/** A table in the editor: it scrolls by itself where it is wide, and has handles. */
import type { TiptapEditorHTMLElement } from '@tiptap/core'
import { DOMSerializer, type Node } from '@tiptap/pm/model'
import { Plugin, type PluginView } from '@tiptap/pm/state'
import type { EditorView, NodeView, NodeViewConstructor, ViewMutationRecord } from '@tiptap/pm/view'
import { parseColumns } from '@/lib/blocks/table/table-columns.ts'
import { colElementOf } from '@/lib/blocks/table/table.ts'
import { skipUnseen } from '../skip-unseen.ts'
import { cellAround, CellSelection } from './cell-selection.ts'
import { cellSelecting } from './cell-selecting.ts'
import { restoreSelection } from './table-caret.ts'
import { moveColumns, moveRows, setColumnWidth } from './table-commands.ts'
import { HeldWidths } from './held-widths.ts'
import { type GridCell, gridOf } from './table-grid.ts'
import { runTableCommand } from './table-items.ts'
import { selectedTable } from './selected-table.ts'
import type { ShownTable } from './shown-table.ts'
import { TableHandles } from './table-handles.ts'

export const createView: NodeViewConstructor = (node, view, getPos) => new TableView(node, view, getPos)

export const plugins = (): readonly Plugin[] => [cellSelecting(), handlesAtCaret()]

const shownTables = new WeakMap<globalThis.Node, TableView>()

class TableView implements NodeView, ShownTable {
  readonly dom = document.createElement('div')
  readonly contentDOM: HTMLElement
  readonly view: EditorView
  readonly table: HTMLTableElement
  readonly handles: TableHandles
  readonly widths: HeldWidths
  readonly #getPos: () => number | undefined
  #node: Node

  constructor(node: Node, view: EditorView, getPos: () => number | undefined) {
    this.#node = node
    this.view = view
    this.#getPos = getPos
    const { dom, contentDOM } = DOMSerializer.renderSpec(document, node.type.spec.toDOM!(node))
    this.contentDOM = contentDOM!
    this.table = contentDOM!.parentElement as HTMLTableElement
    this.dom.className = 'table-frame'
    this.handles = new TableHandles(this)
    this.widths = new HeldWidths(this.table)
    // A caret finds no place before what is not text.
    this.dom.append(dom, ...this.handles.elements)
    shownTables.set(this.dom, this)
    skipUnseen(this.table.parentElement!)
  }

  get frame(): HTMLElement {
    return this.dom
  }

  update(node: Node): boolean {
    if (node.type !== this.#node.type) return false
    const before = this.#node
    this.#node = node
    if (node.attrs.columns !== before.attrs.columns) this.#showColumns()
    this.widths.holdSoon()
    this.handles.onChanged()
    return true
  }

  destroy(): void {
    this.handles.destroy()
    this.widths.destroy()
  }

  stopEvent({ target }: Event): boolean {
    return this.handles.elements.some((element) => element.contains(target as globalThis.Node))
  }

  /** A selection is the editor's own wherever it is: the browser puts the caret beside a handle, too. */
  ignoreMutation({ type, target }: ViewMutationRecord): boolean {
    return type !== 'selection' && !this.contentDOM.contains(target)
  }

  select(part: 'row' | 'column', element: HTMLTableCellElement): void {
    const [at, cell] = [this.#getPos(), this.#cellOf(element)]
    if (at === undefined || !cell) return
    const { cells, rowCount, columns } = gridOf(this.#node)
    const isIn = ({ rows, columns: place }: GridCell): boolean =>
      part === 'row'
        ? rows.first <= cell.rows.first && rows.last >= cell.rows.first
        : place.first <= cell.columns.first && place.last >= cell.columns.first
    const own = cells.filter(isIn)
    if (own.length === 0 || rowCount === 0 || columns.length === 0) return
    const { tr, doc, selection } = this.view.state
    const before = (selection instanceof CellSelection && selection.before) || selection
    const [$first, $last] = [own[0]!, own.at(-1)!].map(({ offset }) => doc.resolve(at + 1 + offset))
    this.view.dispatch(tr.setSelection(new CellSelection($first!, $last, before)))
  }

  moveSelected(part: 'row' | 'column', element: HTMLTableCellElement, side: 'before' | 'after'): void {
    const { view } = this
    const [table, cell] = [selectedTable(view.state), this.#cellOf(element)]
    const { editor } = view.dom as TiptapEditorHTMLElement
    if (!table || !cell || !editor) return
    const { first, last } = part === 'row' ? table.selectedRows : table.selectedColumns
    const passed = part === 'row' ? cell.rows : cell.columns
    const edge = side === 'before' ? passed.first : passed.last + 1
    const by = edge <= first ? edge - first : Math.max(0, edge - last - 1)
    if (by === 0) restoreSelection(view)
    else runTableCommand(editor, part === 'row' ? moveRows(by) : moveColumns(by))
  }

  columnEndedBy(element: HTMLTableCellElement): string | null {
    const cell = this.#cellOf(element)
    return (cell && gridOf(this.#node).columns[cell.columns.last]?.id) ?? null
  }

  resize(column: string, width: number): void {
    const at = this.#getPos()
    if (at !== undefined && this.view.editable)
      setColumnWidth(at, column, width)(this.view.state, (tr) => this.view.dispatch(tr))
  }

  #cellOf(element: HTMLTableCellElement): GridCell | null {
    const at = this.#getPos()
    const cell = cellAround(this.view.state.doc.resolve(this.view.posAtDOM(element, 0)))
    if (at === undefined || !cell) return null
    return gridOf(this.#node).cells.find(({ offset }) => at + 1 + offset === cell.pos) ?? null
  }

  #showColumns(): void {
    this.widths.release()
    const columns = parseColumns(this.#node.attrs.columns)
    this.handles.resizing.onColumns(columns.map(({ id }) => id))
    const drawn = columns.map((column) => DOMSerializer.renderSpec(document, colElementOf(column)).dom)
    this.table.querySelector('colgroup')!.replaceChildren(...drawn)
  }
}

/** Shows the handles at the cell with the caret, as a finger points at none. */
const handlesAtCaret = (): Plugin =>
  new Plugin({
    view(editor): PluginView {
      let shown: TableView | null = null
      const show = (view: EditorView): void => {
        const { selection } = view.state
        const cell = selection instanceof CellSelection ? selection.$headCell : cellAround(selection.$head)
        const frame = cell && view.nodeDOM(cell.before(-1))
        const table = (frame && shownTables.get(frame)) ?? null
        if (shown !== table) shown?.handles.show(null)
        shown = table
        const element = cell && view.nodeDOM(cell.pos)
        if (table && element instanceof HTMLTableCellElement) table.handles.show(element)
      }
      show(editor)
      return {
        update(view, before) {
          if (before.doc !== view.state.doc || !before.selection.eq(view.state.selection)) show(view)
        },
      }
    },
  })
