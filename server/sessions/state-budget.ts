/**
 * Lets large states be sent a few at a time: each is encoded, stored until it is acknowledged, and waits in a link's queue, so a
 * thousand windows that reconnect at once to a large document would multiply it. Knows bytes and time; does not know documents.
 */
import { realClock } from '../../lib/session/clock.ts'

/** Smaller states are sent at once and do not count. */
const LARGE_BYTES = 1024 * 1024
const MAX_IN_FLIGHT_BYTES = 64 * 1024 * 1024
/** A slow reader holds up the others no longer than this. */
const PERMIT_MS = 10_000
/** How many reliable principals are remembered. */
const MAX_REMEMBERED_PRINCIPALS = 10_000

/** Either method ends the permit, and it ends by itself after PERMIT_MS. */
export interface StatePermit {
  /** Called when the window has all of the state. */
  acknowledge(): void
  /** Called when the state is not sent, or not waited for any longer. */
  release(): void
}

interface WaitingPermit {
  readonly bytes: number
  grant(): void
}

/** The waiting principals in the order of their permits, each with its permits in the order of its requests. */
type PermitQueue = Map<string, WaitingPermit[]>

const SMALL_STATE_PERMIT: StatePermit = { acknowledge: () => {}, release: () => {} }

export class StateBudget {
  #inFlight = 0
  /** Principals whose last permit ended with an acknowledgement, the latest last. */
  readonly #reliable = new Set<string>()
  readonly #waiting: { readonly reliable: PermitQueue; readonly others: PermitQueue } = {
    reliable: new Map(),
    others: new Map(),
  }

  get inFlight(): number {
    return this.#inFlight
  }

  /**
   * Resolves when the state may be sent. Principals take permits, so that nobody's many sessions keep others waiting; the requests of
   * one principal keep their order. A principal that acknowledged its last state goes before one that did not: anybody can make
   * thousands of guests, and each could request a state and not acknowledge it.
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
    let isOver = false
    const finish = (isConfirmed: boolean): void => {
      if (isOver) return
      isOver = true
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

  /** If the first permit does not fit, nobody overtakes it: otherwise a large state might never be sent. */
  #next(): void {
    for (const queue of [this.#waiting.reliable, this.#waiting.others]) {
      for (const [principal, permits] of queue) {
        const first = permits[0] as WaitingPermit
        if (!this.#fits(first.bytes)) return
        queue.delete(principal)
        permits.shift()
        if (permits.length > 0) queue.set(principal, permits)
        first.grant()
      }
    }
  }

  /** A state that is larger than the whole budget is sent alone. */
  #fits(bytes: number): boolean {
    return this.#inFlight === 0 || this.#inFlight + bytes <= MAX_IN_FLIGHT_BYTES
  }
}

function addTo(queue: PermitQueue, principal: string, permit: WaitingPermit): void {
  const waiting = queue.get(principal)
  if (waiting) waiting.push(permit)
  else queue.set(principal, [permit])
}
