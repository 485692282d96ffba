/** The listeners of one source. Its constructor says what is set up for the first listener and torn down after the last. */
import { notifyAll } from './notify-all.ts'

const nothing = (): void => {}

export class Subscribable {
  readonly #listeners = new Set<() => void>()
  readonly #onFirst: () => void
  readonly #onLast: () => void

  constructor(onFirst = nothing, onLast = nothing) {
    this.#onFirst = onFirst
    this.#onLast = onLast
  }

  get hasListeners(): boolean {
    return this.#listeners.size > 0
  }

  /** Returns a function that unsubscribes. */
  readonly subscribe = (listener: () => void): (() => void) => {
    if (!this.hasListeners) this.#onFirst()
    this.#listeners.add(listener)
    return () => {
      if (this.#listeners.delete(listener) && !this.hasListeners) this.#onLast()
    }
  }

  notify(): void {
    notifyAll(this.#listeners)
  }
}
