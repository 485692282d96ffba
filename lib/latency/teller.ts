/** A snapshot that is made at most once a second while somebody listens, however often something changes: figures are read. */
import type { Clock } from '../session/clock.ts'

const TELL_MS = 1_000

export class Teller<State> {
  readonly #clock: Clock
  readonly #read: () => State
  readonly #listeners = new Set<() => void>()
  #state: State | null = null
  #stale = true
  #telling = false

  constructor(clock: Clock, read: () => State) {
    this.#clock = clock
    this.#read = read
  }

  /** Listeners get the state they were told of: whoever draws in between draws the same. */
  get(): State {
    if (this.#state && (!this.#stale || this.#telling)) return this.#state
    this.#stale = false
    return (this.#state = this.#read())
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  changed(): void {
    this.#stale = true
    if (this.#telling || this.#listeners.size === 0) return
    this.#telling = true
    this.#clock.after(TELL_MS, () => {
      this.#telling = false
      for (const listener of this.#listeners) listener()
    })
  }
}
