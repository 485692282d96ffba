/**
 * The controls on a table: a handle at the row and at the column of the cell below the pointer, or of the one with the caret, and the edge by
 * which a column is resized. They lie above the table and hold no letters.
 */
import type { TiptapEditorHTMLElement } from '@tiptap/core'
import { tableStrings } from '@/lib/strings/table.ts'
import { type BlockPopup, openBlockPopup } from '../open-block-popup.tsx'
import { ColumnResizing } from './column-resizing.ts'
import { PartDrag } from './part-drag.ts'
import type { ShownTable } from './shown-table.ts'
import { TablePartMenu } from './table-part-menu.tsx'

export class TableHandles {
  readonly elements: readonly HTMLElement[]
  readonly resizing: ColumnResizing
  readonly #dragging: PartDrag
  /** Those at the cell. */
  readonly #placed: readonly HTMLElement[]
  readonly #shown: ShownTable
  readonly #handles: Readonly<Record<'row' | 'column', HTMLButtonElement>>
  readonly #stop = new AbortController()
  #cell: HTMLTableCellElement | null = null
  #menu: BlockPopup | null = null
  #frameRequest = 0

  constructor(shown: ShownTable) {
    this.#shown = shown
    this.#handles = { row: this.#createHandle('row'), column: this.#createHandle('column') }
    this.resizing = new ColumnResizing(shown)
    this.#dragging = new PartDrag(shown)
    this.#placed = [this.#handles.row, this.#handles.column, this.resizing.edge]
    this.elements = [...this.#placed, this.#dragging.line]
    const { frame, table } = shown
    const { signal } = this.#stop
    frame.addEventListener('pointermove', this.#onMove, { signal, passive: true })
    table.parentElement!.addEventListener('scroll', this.place, { signal, passive: true })
  }

  /** Null hides the handles. */
  show(cell: HTMLTableCellElement | null): void {
    this.#cell = cell
    this.place()
  }

  /** Called when the table has changed. */
  onChanged(): void {
    this.#dragging.onChanged()
    this.place()
  }

  /** Measured with the frame, when the browser has to lay out the table in any case. */
  readonly place = (): void => {
    cancelAnimationFrame(this.#frameRequest)
    this.#frameRequest = requestAnimationFrame(this.#placeNow)
  }

  destroy(): void {
    cancelAnimationFrame(this.#frameRequest)
    this.#stop.abort()
    this.#menu?.close()
    this.resizing.cancel()
    this.#dragging.cancel()
  }

  #createHandle(part: 'row' | 'column'): HTMLButtonElement {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = `table-handle ${part}-handle`
    button.contentEditable = 'false'
    button.tabIndex = -1
    button.hidden = true
    button.ariaHasPopup = 'menu'
    button.ariaLabel = tableStrings.handles[part]
    button.title = tableStrings.handleHint
    // The text keeps the focus.
    button.addEventListener('mousedown', (event) => event.preventDefault())
    button.addEventListener(
      'pointerdown',
      (event) => this.#cell && this.#dragging.start(part, this.#cell, button, event),
    )
    button.addEventListener('click', () => this.#dragging.hasDragged || this.#open(part))
    return button
  }

  #open(part: 'row' | 'column'): void {
    const { view } = this.#shown
    if (!this.#cell || !view.editable) return
    this.#shown.select(part, this.#cell)
    const { editor } = view.dom as TiptapEditorHTMLElement
    if (editor) this.#menu = openBlockPopup(TablePartMenu, this.#handles[part], { editor, part })
  }

  readonly #onMove = ({ target, pointerType, buttons }: PointerEvent): void => {
    if (pointerType !== 'mouse' || buttons !== 0) return
    const cell = target instanceof Element ? target.closest<HTMLTableCellElement>('td, th') : null
    if (cell && cell !== this.#cell && cell.closest('table') === this.#shown.table) this.show(cell)
  }

  readonly #placeNow = (): void => {
    const { view, frame, table } = this.#shown
    const cell = this.#cell
    const isShown = cell !== null && table.contains(cell) && view.editable
    for (const element of this.#placed) element.hidden = !isShown
    if (!isShown || this.resizing.isUnderWay || this.#dragging.isUnderWay) return
    const [outer, inner, row] = [frame, cell, cell.parentElement!].map((one) => one.getBoundingClientRect())
    const center = inner!.left + inner!.width / 2 - outer!.left
    const { row: rowHandle, column } = this.#handles
    rowHandle.style.top = `${row!.top + row!.height / 2 - outer!.top}px`
    column.style.left = `${center}px`
    column.hidden = center < 0 || center > outer!.width
    this.resizing.place(cell, inner!.right - outer!.left)
  }
}
