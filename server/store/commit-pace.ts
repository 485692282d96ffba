/**
 * How far apart commits stand. Each costs about as much as ten edits in it, so a busy store takes more along in each; a calm one
 * never waits. Knows time and counts; does not know what is committed.
 */

/** More than a room full of typists brings, less than a hundred rooms do. */
const BUSY_CALLS = 64
const WINDOW_MS = 50
/** From the begin of a commit to that of the next. */
const DISTANCE_MS = 4

export class CommitPace {
  readonly #now: () => number
  #windowFrom = -Infinity
  #calls = 0
  #isBusy = false
  #begunAt = -Infinity

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  called(): void {
    const now = this.#now()
    if (now - this.#windowFrom >= WINDOW_MS) {
      const isNext = now - this.#windowFrom < 2 * WINDOW_MS
      this.#isBusy = isNext && this.#calls >= BUSY_CALLS
      this.#calls = 0
      this.#windowFrom = now
    }
    this.#calls += 1
  }

  begun(): void {
    this.#begunAt = this.#now()
  }

  /** In ms. */
  get wait(): number {
    return this.#isBusy ? Math.max(0, this.#begunAt + DISTANCE_MS - this.#now()) : 0
  }
}
