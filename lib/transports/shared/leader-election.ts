/**
 * Which window of the browser leads: whoever holds the lock. The browser lets go of it with the window, however that ends.
 * Knows locks; does not know links.
 *
 *   apart ──enter──▶ following ──the lock is free, or steal──▶ leading ──leave, or stolen──▶ apart
 */
import type { LockRequest, LocksLike } from '../../locks.ts'

interface LeaderElectionHandlers {
  onElected(): void
  /** Another window took the lock: this one was silent for too long. */
  onLeadershipLost(): void
}

/** From entering to leaving, or to being deposed. */
interface ElectionTerm {
  readonly queueAbort: AbortController
  readonly done: PromiseWithResolvers<void>
  /** Two where the lock became free in the moment in which it was stolen. */
  heldLocks: number
  isStealing: boolean
}

export class LeaderElection {
  readonly #locks: LocksLike
  readonly #name: string
  readonly #handlers: LeaderElectionHandlers
  #term: ElectionTerm | null = null
  #joined: Promise<void> = Promise.resolve()

  constructor(locks: LocksLike, name: string, handlers: LeaderElectionHandlers) {
    this.#locks = locks
    this.#name = name
    this.#handlers = handlers
  }

  /** Resolves once it is known whether this window leads, or waits for the end of the one that does. Rejects without locks. */
  join(): Promise<void> {
    if (!this.#term) {
      this.#term = {
        queueAbort: new AbortController(),
        done: Promise.withResolvers(),
        heldLocks: 0,
        isStealing: false,
      }
      this.#joined = this.#tryLock(this.#term)
    }
    return this.#joined
  }

  /** Ahead of all who wait. Only for a window that is in view and got no answer. */
  stealLock(): void {
    const term = this.#term
    if (!term || term.heldLocks > 0 || term.isStealing) return
    term.isStealing = true
    term.queueAbort.abort()
    this.#requestLock(term, { steal: true }).catch(() => {}) // stolen in its turn
  }

  leave(): void {
    this.#term?.queueAbort.abort()
    this.#term?.done.resolve()
    this.#term = null
  }

  #tryLock(term: ElectionTerm): Promise<void> {
    const answered = Promise.withResolvers<void>()
    this.#requestLock(term, { ifAvailable: true }, (isFree) => {
      answered.resolve()
      if (!isFree && this.#term === term) this.#waitForLock(term)
    }).catch((error: unknown) => {
      if (this.#term === term) this.#term = null
      answered.reject(error)
    })
    return answered.promise
  }

  #waitForLock(term: ElectionTerm): void {
    this.#requestLock(term, { signal: term.queueAbort.signal }).catch(() => {}) // stolen, or no longer wanted
  }

  async #requestLock(
    term: ElectionTerm,
    options: LockRequest,
    onAnswer?: (isFree: boolean) => void,
  ): Promise<void> {
    let isHolding = false
    const hold = (lock: object | null): Promise<void> => {
      onAnswer?.(lock !== null)
      if (!lock || this.#term !== term) return Promise.resolve()
      isHolding = true
      term.heldLocks += 1
      if (term.heldLocks === 1) this.#handlers.onElected()
      return term.done.promise
    }
    try {
      await this.#locks.request(this.#name, options, hold)
    } finally {
      if (isHolding) this.#onLockLost(term)
    }
  }

  /** This window had it, and did not leave: it was stolen. */
  #onLockLost(term: ElectionTerm): void {
    term.heldLocks -= 1
    if (this.#term !== term || term.heldLocks > 0) return
    this.#term = null
    this.#handlers.onLeadershipLost()
  }
}
