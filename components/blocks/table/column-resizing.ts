/**
 * Resizes a column by dragging its edge. Only where the edge is dropped is anything written: the width of that column, wherever it stands by
 * then. Escape, or somebody else who deletes the column, ends it without a change.
 */
import { columnWidthOf } from '@/lib/blocks/table/table-columns.ts'
import type { ShownTable } from './shown-table.ts'

interface Drag {
  readonly column: string
  readonly startX: number
  readonly startWidth: number
  readonly stop: AbortController
}

export class ColumnResizing {
  readonly edge = document.createElement('div')
  readonly #shown: ShownTable
  #cell: HTMLTableCellElement | null = null
  #drag: Drag | null = null

  constructor(shown: ShownTable) {
    this.#shown = shown
    this.edge.className = 'column-edge'
    this.edge.contentEditable = 'false'
    this.edge.hidden = true
    this.edge.addEventListener('pointerdown', this.#start)
    // The text keeps the focus and the selection.
    this.edge.addEventListener('mousedown', (event) => event.preventDefault())
  }

  get isUnderWay(): boolean {
    return this.#drag !== null
  }

  /** @param right In px, from the left edge of the table's frame. */
  place(cell: HTMLTableCellElement, right: number): void {
    this.#cell = cell
    this.edge.style.left = `${right}px`
  }

  /** Called when the table has changed. */
  onColumns(ids: readonly string[]): void {
    if (this.#drag && !ids.includes(this.#drag.column)) this.cancel()
  }

  readonly #start = (event: PointerEvent): void => {
    const cell = this.#cell
    const column = cell && this.#shown.columnEndedBy(cell)
    if (!cell || !column || event.button !== 0 || !this.#shown.view.editable) return
    event.preventDefault()
    this.edge.setPointerCapture(event.pointerId)
    this.#shown.widths.release()
    const stop = new AbortController()
    this.#drag = { column, startX: event.clientX, startWidth: cell.offsetWidth, stop }
    this.edge.classList.add('is-dragged')
    this.edge.addEventListener('pointermove', this.#onMove, stop)
    this.edge.addEventListener('pointerup', this.#drop, stop)
    this.edge.addEventListener('pointercancel', this.cancel, stop)
    addEventListener('keydown', this.#onKey, { capture: true, signal: stop.signal })
  }

  #widthAt({ clientX }: PointerEvent): number {
    const { startX, startWidth } = this.#drag!
    return columnWidthOf(startWidth + clientX - startX)
  }

  readonly #onMove = (event: PointerEvent): void => {
    const { column, startWidth } = this.#drag!
    const width = this.#widthAt(event)
    const col = this.#shown.table.querySelector<HTMLElement>(`col[data-column="${column}"]`)
    if (col) Object.assign(col.style, { width: `${width}px`, minWidth: '0' })
    this.edge.style.translate = `${width - startWidth}px`
  }

  readonly #drop = (event: PointerEvent): void => {
    const { column, startX } = this.#drag!
    const width = this.#widthAt(event)
    this.cancel()
    if (event.clientX !== startX) this.#shown.resize(column, width)
  }

  readonly #onKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return
    event.preventDefault()
    event.stopPropagation()
    this.cancel()
  }

  readonly cancel = (): void => {
    if (!this.#drag) return
    this.#drag.stop.abort()
    this.#drag = null
    this.#shown.widths.holdSoon()
    this.edge.classList.remove('is-dragged')
    this.edge.style.translate = ''
    for (const col of this.#shown.table.querySelectorAll('col'))
      Object.assign(col.style, { width: '', minWidth: '' })
  }
}
