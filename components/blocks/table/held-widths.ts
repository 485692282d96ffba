/**
 * Keeps the widths of a large table's columns while somebody types in it. The browser finds them by the letters of all cells, so that a key which
 * widens one column lays out every cell. They are found anew when typing pauses. Knows the elements of one table; does not know its node.
 */

/** The browser lays out fewer within a few ms. */
const MIN_CELLS = 1_000

const PAUSE_MS = 1_000

const WIDTH = '--held-width'

export class HeldWidths {
  readonly #table: HTMLTableElement
  readonly #room: ResizeObserver
  #roomWidth = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(table: HTMLTableElement) {
    this.#table = table
    this.#room = new ResizeObserver(([entry]) => this.#onRoom(entry!.contentRect.width))
    this.#room.observe(table.parentElement!)
  }

  /** Called when the table has changed. */
  holdSoon(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(this.#hold, PAUSE_MS)
  }

  /** The browser decides again, until the next pause. */
  release(): void {
    this.#table.classList.remove('holds-widths')
  }

  destroy(): void {
    clearTimeout(this.#timer)
    this.#room.disconnect()
  }

  #onRoom(width: number): void {
    if (width === this.#roomWidth) return
    this.#roomWidth = width
    this.#hold()
  }

  readonly #hold = (): void => {
    const table = this.#table
    this.release()
    const columns = [...table.querySelectorAll<HTMLElement>('colgroup > col')]
    if (table.rows.length * columns.length < MIN_CELLS) return
    const [whole, ...widths] = [table, ...columns].map((part) => part.getBoundingClientRect().width)
    if (widths.includes(0)) return
    table.style.setProperty(WIDTH, `${whole}px`)
    for (const [at, column] of columns.entries()) column.style.setProperty(WIDTH, `${widths[at]}px`)
    table.classList.add('holds-widths')
  }
}
