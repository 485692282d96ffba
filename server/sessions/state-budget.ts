/**
 * Turns for large states: each is encoded, kept until it is confirmed, and waits in a link's queue, so that a thousand windows
 * that come back at once to a large document would multiply it. Knows bytes and time; does not know documents.
 */
import { realClock } from '../../lib/session/clock.ts'

/** Smaller ones go at once and do not count. */
const LARGE_BYTES = 1024 * 1024
const MAX_IN_FLIGHT_BYTES = 64 * 1024 * 1024
/** A slow reader holds up the others no longer than that. */
const TURN_MS = 10_000

interface Turn {
  readonly bytes: number
  begin(): void
}

export class StateBudget {
  #inFlight = 0
  readonly #waiting: Turn[] = []

  get inFlight(): number {
    return this.#inFlight
  }

  /** Resolves when its turn has come, in the order of asking. The answer ends it; it ends by itself after a while. */
  take(bytes: number): Promise<() => void> {
    if (bytes <= LARGE_BYTES) return Promise.resolve(() => {})
    return new Promise((resolve) => {
      this.#waiting.push({ bytes, begin: () => resolve(this.#begin(bytes)) })
      this.#next()
    })
  }

  #begin(bytes: number): () => void {
    this.#inFlight += bytes
    let over = false
    const end = (): void => {
      if (over) return
      over = true
      cancel()
      this.#inFlight -= bytes
      this.#next()
    }
    const cancel = realClock.after(TURN_MS, end)
    return end
  }

  #next(): void {
    for (let first = this.#waiting[0]; first && this.#fits(first.bytes); first = this.#waiting[0]) {
      this.#waiting.shift()
      first.begin()
    }
  }

  /** One that is larger than all of the budget goes alone. */
  #fits(bytes: number): boolean {
    return this.#inFlight === 0 || this.#inFlight + bytes <= MAX_IN_FLIGHT_BYTES
  }
}
