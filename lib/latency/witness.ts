/**
 * The other end of a stamp: notes when an edit came here, by which way first, and when it was on screen, and tells its author so,
 * many in one message.
 */
import type { Clock } from '../session/clock.ts'
import { MAX_ROWS, type SeenRow, type Stamp } from './messages.ts'
import type { Powers } from './powers.ts'
import type { Path } from './state.ts'

/**
 * How long answers are gathered, in ms: figures are drawn every second or two, and each answer wakes the window that is typed in. For
 * each window in the room a little longer, since all of them answer one author.
 */
const GATHER_MS = 500
const GATHER_EACH_MS = 10
/** Those remembered, so that the second way of an edit is known for one. */
const MAX_SEEN = 1_000
/** Of windows whose answers are being gathered. */
const MAX_AUTHORS = 100

interface Answers {
  readonly opening: number
  readonly rows: SeenRow[]
}

export interface WitnessParts {
  readonly powers: Pick<Powers, 'afterPaint'> & { readonly clock: Clock }
  /** Windows in the room. */
  crowd(): number
  answer(author: number, opening: number, rows: readonly SeenRow[]): void
}

export interface Sighting {
  readonly received: number
  readonly applied: number
  readonly path: Path
}

export class Witness {
  readonly #parts: WitnessParts
  readonly #seen = new Set<string>()
  readonly #answers = new Map<number, Answers>()
  #cancel: (() => void) | null = null

  constructor(parts: WitnessParts) {
    this.#parts = parts
  }

  saw(author: number, { opening, edit }: Stamp, { received, applied, path }: Sighting): void {
    const name = `${author}:${opening}:${edit}`
    if (this.#seen.has(name)) return
    this.#seen.add(name)
    if (this.#seen.size > MAX_SEEN) this.#seen.delete(this.#seen.values().next().value!)
    this.#parts.powers.afterPaint((at) => {
      const painted = at === 'hidden' ? at : Math.max(0, at - received)
      this.#gather(author, opening, {
        edit,
        received,
        applied: Math.max(0, applied - received),
        painted,
        path,
      })
    })
  }

  stop(): void {
    this.#cancel?.()
    this.#cancel = null
    this.#answers.clear()
  }

  #gather(author: number, opening: number, row: SeenRow): void {
    const before = this.#answers.get(author)
    const answers = before?.opening === opening ? before : { opening, rows: [] }
    if (this.#answers.size >= MAX_AUTHORS && !before) return
    this.#answers.set(author, answers)
    answers.rows.push(row)
    if (answers.rows.length >= MAX_ROWS) return this.#answer()
    const { clock } = this.#parts.powers
    this.#cancel ??= clock.after(GATHER_MS + GATHER_EACH_MS * this.#parts.crowd(), () => this.#answer())
  }

  #answer(): void {
    const answers = [...this.#answers]
    this.stop()
    for (const [author, { opening, rows }] of answers) this.#parts.answer(author, opening, rows)
  }
}
