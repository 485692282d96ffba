/**
 * Drags a row or a column by its handle. A line shows where it would stand. Nothing is written before the drop; Escape, or somebody else who
 * deletes what is dragged, ends it without a change.
 */
import type { ShownTable } from './shown-table.ts'
import { restoreSelection } from './table-caret.ts'

type TablePart = 'row' | 'column'

/** How far a pointer moves, in CSS pixels, before a press becomes a drag. */
const DRAG_THRESHOLD = 5

interface Drop {
  readonly cell: HTMLTableCellElement
  readonly side: 'before' | 'after'
}

interface Drag {
  readonly part: TablePart
  readonly cell: HTMLTableCellElement
  readonly start: PointerEvent
  readonly stop: AbortController
  isMoving: boolean
  drop: Drop | null
}

export class PartDrag {
  readonly line = document.createElement('div')
  /** The click that follows a drag opens no menu. */
  hasDragged = false
  readonly #shown: ShownTable
  #drag: Drag | null = null

  constructor(shown: ShownTable) {
    this.#shown = shown
    this.line.className = 'table-drop-line'
    this.line.contentEditable = 'false'
    this.line.hidden = true
  }

  get isUnderWay(): boolean {
    return this.#drag?.isMoving === true
  }

  start(part: TablePart, cell: HTMLTableCellElement, handle: HTMLElement, event: PointerEvent): void {
    this.hasDragged = false
    if (event.button !== 0 || !this.#shown.view.editable) return
    handle.setPointerCapture(event.pointerId)
    const stop = new AbortController()
    this.#drag = { part, cell, start: event, stop, isMoving: false, drop: null }
    handle.addEventListener('pointermove', this.#onMove, stop)
    handle.addEventListener('pointerup', this.#drop, stop)
    handle.addEventListener('pointercancel', this.cancel, stop)
    addEventListener('keydown', this.#onKey, { capture: true, signal: stop.signal })
  }

  /** Called when the table has changed. */
  onChanged(): void {
    const { table, view } = this.#shown
    if (this.#drag && (!table.contains(this.#drag.cell) || !view.editable)) this.cancel()
  }

  readonly cancel = (): void => {
    const drag = this.#end()
    if (drag?.isMoving && !this.#shown.view.isDestroyed) restoreSelection(this.#shown.view)
  }

  #end(): Drag | null {
    const drag = this.#drag
    this.#drag = null
    drag?.stop.abort()
    this.line.hidden = true
    return drag
  }

  readonly #onMove = (event: PointerEvent): void => {
    const drag = this.#drag!
    const distance = Math.hypot(event.clientX - drag.start.clientX, event.clientY - drag.start.clientY)
    if (!drag.isMoving && distance < DRAG_THRESHOLD) return
    if (!drag.isMoving) this.#shown.select(drag.part, drag.cell)
    drag.isMoving = true
    this.hasDragged = true
    drag.drop = this.#dropAt(drag, event)
    this.#showLine(drag.part, drag.drop)
  }

  /** Beside the row or the column that is nearest to the pointer. */
  #dropAt({ part, cell }: Drag, { clientX, clientY }: PointerEvent): Drop {
    const { rows } = this.#shown.table
    const cells =
      part === 'row' ? Array.from(rows, (row) => row.cells[0]!) : [...cell.parentElement!.children]
    const drops = cells.map((one): Drop & { readonly distance: number } => {
      const { left, top, width, height } = this.#boxOf(part, one as HTMLTableCellElement)
      const by = part === 'row' ? clientY - top - height / 2 : clientX - left - width / 2
      const side = by < 0 !== this.#isReversed(part) ? 'before' : 'after'
      return { cell: one as HTMLTableCellElement, side, distance: Math.abs(by) }
    })
    return drops.reduce((best, one) => (one.distance < best.distance ? one : best))
  }

  #boxOf = (part: TablePart, cell: HTMLTableCellElement): DOMRect =>
    (part === 'row' ? cell.parentElement! : cell).getBoundingClientRect()

  /** Columns go from right to left. */
  #isReversed = (part: TablePart): boolean =>
    part === 'column' && getComputedStyle(this.#shown.table).direction === 'rtl'

  #showLine(part: TablePart, { cell, side }: Drop): void {
    const [outer, table] = [this.#shown.frame, this.#shown.table].map((one) => one.getBoundingClientRect())
    const box = this.#boxOf(part, cell)
    const isAtStart = (side === 'before') !== this.#isReversed(part)
    const place =
      part === 'row'
        ? {
            top: isAtStart ? box.top : box.bottom,
            left: table!.left,
            width: Math.min(table!.width, outer!.width),
          }
        : { top: table!.top, left: isAtStart ? box.left : box.right, height: table!.height }
    const { style } = this.line
    style.cssText = `top: ${place.top - outer!.top}px; left: ${place.left - outer!.left}px`
    if ('width' in place) style.width = `${place.width}px`
    else style.height = `${place.height}px`
    this.line.hidden = false
  }

  readonly #drop = (): void => {
    const { view, table } = this.#shown
    const { isMoving, part, drop } = this.#end()!
    if (!isMoving || !drop) return
    if (table.contains(drop.cell)) this.#shown.moveSelected(part, drop.cell, drop.side)
    else restoreSelection(view)
    view.focus()
  }

  readonly #onKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || !this.isUnderWay) return
    event.preventDefault()
    event.stopPropagation()
    this.cancel()
  }
}
