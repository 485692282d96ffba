/** Which rows of one author the server has saved. Rows are written elsewhere; marks are written here. */
import type { Author, LocalStore } from './store.ts'

interface Entry {
  readonly n: number
  /** Its number among the edits of the channel. */
  readonly edit: number
}

export class Ledger {
  readonly author: Author
  readonly #store: LocalStore
  #unsaved: Entry[]
  #savedN = 0
  #markedN = 0
  #marking = false

  constructor(author: Author, store: LocalStore, unsaved: Entry[] = []) {
    this.author = author
    this.#store = store
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
    void this.#mark()
  }

  /** One at a time; a mark that fails is written with the next. */
  async #mark(): Promise<void> {
    if (this.#marking || this.#markedN >= this.#savedN) return
    this.#marking = true
    const upTo = this.#savedN
    try {
      await this.#store.mark(this.author, upTo)
      this.#markedN = upTo
    } catch {
      return
    } finally {
      this.#marking = false
    }
    void this.#mark()
  }
}
