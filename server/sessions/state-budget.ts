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
  /** Who waits, in the order in which they are next; of each their turns, in the order of asking. */
  readonly #waiting = new Map<string, Turn[]>()

  get inFlight(): number {
    return this.#inFlight
  }

  /**
   * Resolves when its turn has come: principals take turns, so that nobody's many sessions keep others waiting; of one principal in
   * the order of asking. The answer ends it; it ends by itself after a while.
   * @param principal `Principal.id`.
   */
  take(bytes: number, principal: string): Promise<() => void> {
    if (bytes <= LARGE_BYTES) return Promise.resolve(() => {})
    return new Promise((resolve) => {
      this.#add(principal, { bytes, begin: () => resolve(this.#begin(bytes)) })
      this.#next()
    })
  }

  #add(principal: string, turn: Turn): void {
    const turns = this.#waiting.get(principal)
    if (turns) turns.push(turn)
    else this.#waiting.set(principal, [turn])
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

  /** The next in the round waits for room, and nobody overtakes it: else a large state would never have its turn. */
  #next(): void {
    for (const [principal, turns] of this.#waiting) {
      const first = turns[0] as Turn
      if (!this.#fits(first.bytes)) return
      this.#moveToEnd(principal, turns)
      first.begin()
    }
  }

  #moveToEnd(principal: string, turns: Turn[]): void {
    this.#waiting.delete(principal)
    turns.shift()
    if (turns.length > 0) this.#waiting.set(principal, turns)
  }

  /** One that is larger than all of the budget goes alone. */
  #fits(bytes: number): boolean {
    return this.#inFlight === 0 || this.#inFlight + bytes <= MAX_IN_FLIGHT_BYTES
  }
}
