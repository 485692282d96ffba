/**
 * Turns for large states: each is encoded, kept until it is confirmed, and waits in a link's queue, so that a thousand windows
 * that come back at once to a large document would multiply it. Knows bytes and time; does not know documents.
 */
import { realClock } from '../../lib/session/clock.ts'

/** Smaller ones go at once and do not count. */
const LARGE_BYTES = 1024 * 1024
const MAX_IN_FLIGHT_BYTES = 64 * 1024 * 1024
/** A slow reader holds up the others no longer than that. */
const PERMIT_MS = 10_000
/** How many principals are remembered. */
const MAX_REMEMBERED_PRINCIPALS = 10_000

/** One of these ends it, and it ends by itself after a while. */
export interface StatePermit {
  /** The window has all of the state. */
  acknowledge(): void
  /** The state is not sent, or not waited for any longer. */
  release(): void
}

interface WaitingPermit {
  readonly bytes: number
  grant(): void
}

/** Who waits, in the order in which they are next; of each their turns, in the order of asking. */
type PermitQueue = Map<string, WaitingPermit[]>

const SMALL_STATE_PERMIT: StatePermit = { acknowledge: () => {}, release: () => {} }

export class StateBudget {
  #inFlight = 0
  /** Whose last turn ended with a confirmation; the latest last. */
  readonly #reliable = new Set<string>()
  readonly #waiting: { readonly reliable: PermitQueue; readonly others: PermitQueue } = {
    reliable: new Map(),
    others: new Map(),
  }

  get inFlight(): number {
    return this.#inFlight
  }

  /**
   * Resolves when its turn has come. Principals take turns, so that nobody's many sessions keep others waiting; of one principal in
   * the order of asking. Who confirmed the last state goes before who never did: guests are made by the thousand, and each could ask
   * for a state and leave it unconfirmed.
   * @param principal `Principal.id`.
   */
  acquire(bytes: number, principal: string): Promise<StatePermit> {
    if (bytes <= LARGE_BYTES) return Promise.resolve(SMALL_STATE_PERMIT)
    return new Promise((resolve) => {
      const queue = this.#reliable.has(principal) ? this.#waiting.reliable : this.#waiting.others
      addTo(queue, principal, { bytes, grant: () => resolve(this.#begin(bytes, principal)) })
      this.#next()
    })
  }

  #begin(bytes: number, principal: string): StatePermit {
    this.#inFlight += bytes
    let over = false
    const finish = (isConfirmed: boolean): void => {
      if (over) return
      over = true
      cancel()
      this.#remember(principal, isConfirmed)
      this.#inFlight -= bytes
      this.#next()
    }
    const cancel = realClock.after(PERMIT_MS, () => finish(false))
    return { acknowledge: () => finish(true), release: () => finish(false) }
  }

  #remember(principal: string, isReliable: boolean): void {
    this.#reliable.delete(principal)
    if (isReliable) this.#reliable.add(principal)
    const [oldest] = this.#reliable
    if (this.#reliable.size > MAX_REMEMBERED_PRINCIPALS) this.#reliable.delete(oldest!)
  }

  /** The next one waits for room, and nobody overtakes it: else a large state would never have its turn. */
  #next(): void {
    for (const queue of [this.#waiting.reliable, this.#waiting.others]) {
      for (const [principal, turns] of queue) {
        const first = turns[0] as WaitingPermit
        if (!this.#fits(first.bytes)) return
        queue.delete(principal)
        turns.shift()
        if (turns.length > 0) queue.set(principal, turns)
        first.grant()
      }
    }
  }

  /** One that is larger than all of the budget goes alone. */
  #fits(bytes: number): boolean {
    return this.#inFlight === 0 || this.#inFlight + bytes <= MAX_IN_FLIGHT_BYTES
  }
}

function addTo(queue: PermitQueue, principal: string, permit: WaitingPermit): void {
  const waiting = queue.get(principal)
  if (waiting) waiting.push(permit)
  else queue.set(principal, [permit])
}
