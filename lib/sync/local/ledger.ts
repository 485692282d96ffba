/**
 * Which rows of one author the server has saved. Rows are written elsewhere; marks are written here, and not for each row: one that is
 * lost in a crash costs sending its rows once more.
 */
import type { Author, LocalStore } from './store.ts'

/** From a save to its mark, in ms: what is saved meanwhile shares it. */
const MARK_MS = 500

interface Entry {
  readonly n: number
  /** Its number among the edits of the channel. */
  readonly edit: number
}

export class Ledger {
  readonly author: Author
  readonly #store: LocalStore
  readonly #after: (ms: number, run: () => void) => void
  #unsaved: Entry[]
  #savedN = 0
  #markedN = 0
  #isWaiting = false
  #marking: Promise<void> = Promise.resolve()

  constructor(
    author: Author,
    store: LocalStore,
    after: (ms: number, run: () => void) => void,
    unsaved: Entry[] = [],
  ) {
    this.author = author
    this.#store = store
    this.#after = after
    this.#unsaved = unsaved
  }

  /** The highest row that is saved. */
  get savedN(): number {
    return this.#savedN
  }

  get unsaved(): number {
    return this.#unsaved.length
  }

  add(entry: Entry): void {
    this.#unsaved.push(entry)
  }

  /** The first so many edits of the channel are saved. */
  saved(edits: number): void {
    const left = this.#unsaved.findIndex(({ edit }) => edit > edits)
    const done = left < 0 ? this.#unsaved.splice(0) : this.#unsaved.splice(0, left)
    this.#savedN = done.at(-1)?.n ?? this.#savedN
    this.#markSoon()
  }

  /** Resolves when all that is saved is marked, or cannot be. */
  mark(): Promise<void> {
    return (this.#marking = this.#marking.then(() => this.#write()))
  }

  #markSoon(): void {
    if (this.#isWaiting || this.#markedN >= this.#savedN) return
    this.#isWaiting = true
    this.#after(MARK_MS, () => {
      this.#isWaiting = false
      void this.mark()
    })
  }

  /** A mark that fails is written with the next. */
  async #write(): Promise<void> {
    const upTo = this.#savedN
    if (this.#markedN >= upTo) return
    try {
      await this.#store.mark(this.author, upTo)
      this.#markedN = upTo
    } catch {
      // The database is gone, or its disk is full.
    }
  }
}
