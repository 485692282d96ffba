/**
 * Tracks which rows of one window the server has saved. Rows are written elsewhere. Marks are written here, but not for each row: a mark
 * that is lost in a crash costs sending its rows once more.
 */
import type { RowOwner } from './local-records.ts'
import type { LocalStore } from './local-store.ts'

/** From a save to its mark, in ms: edits that are saved meanwhile share it. */
const MARK_DELAY_MS = 500

interface TrackedRow {
  readonly n: number
  /** The edit's number among the edits of the channel. */
  readonly edit: number
}

export class SavedRowTracker {
  readonly owner: RowOwner
  readonly #store: LocalStore
  readonly #after: (ms: number, run: () => void) => void
  #unsaved: TrackedRow[]
  #savedN = 0
  /** The highest row on this device: only such rows need a mark. */
  #storedN: number
  #markedN = 0
  #isMarkScheduled = false
  #lastMark: Promise<void> = Promise.resolve()

  constructor(
    owner: RowOwner,
    store: LocalStore,
    after: (ms: number, run: () => void) => void,
    unsaved: TrackedRow[] = [],
  ) {
    this.owner = owner
    this.#store = store
    this.#after = after
    this.#unsaved = unsaved
    this.#storedN = unsaved.at(-1)?.n ?? 0
  }

  /** The highest row that is saved. */
  get savedN(): number {
    return this.#savedN
  }

  get unsaved(): number {
    return this.#unsaved.length
  }

  addRow(row: TrackedRow): void {
    this.#unsaved.push(row)
  }

  /** The server has saved this many edits of the channel, from the first. */
  onSaved(edits: number): void {
    const firstUnsaved = this.#unsaved.findIndex(({ edit }) => edit > edits)
    const savedRows = firstUnsaved < 0 ? this.#unsaved.splice(0) : this.#unsaved.splice(0, firstUnsaved)
    this.#savedN = savedRows.at(-1)?.n ?? this.#savedN
    this.#scheduleMark()
  }

  /** Rows up to `n` are on this device, and those up to `marked` are marked there as saved. */
  onStored(n: number, marked: number): void {
    this.#storedN = n
    this.#markedN = Math.max(this.#markedN, marked)
    this.#scheduleMark()
  }

  /** Resolves when all saved rows are marked, or cannot be. */
  writeMark(): Promise<void> {
    return (this.#lastMark = this.#lastMark.then(() => this.#writeLatestMark()))
  }

  get #markableN(): number {
    return Math.min(this.#savedN, this.#storedN)
  }

  #scheduleMark(): void {
    if (this.#isMarkScheduled || this.#markedN >= this.#markableN) return
    this.#isMarkScheduled = true
    this.#after(MARK_DELAY_MS, () => {
      this.#isMarkScheduled = false
      void this.writeMark()
    })
  }

  /** A mark that fails is written with the next. */
  async #writeLatestMark(): Promise<void> {
    const upTo = this.#markableN
    if (this.#markedN >= upTo) return
    try {
      await this.#store.mark(this.owner, upTo)
      this.#markedN = upTo
    } catch {
      // The database is gone, or its disk is full.
    }
  }
}
