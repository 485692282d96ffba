/**
 * The window that holds the lock is the leader. The browser releases the lock with the window, however that ends. This class
 * knows locks; it does not know links.
 *
 *   outside ──join──▶ following ──the lock is free, or steal──▶ leading ──leave, or stolen──▶ outside
 */
import type { LockRequest, LocksLike } from '../../locks.ts'

interface LeaderElectionHandlers {
  onElected(): void
  /** Another window took the lock: this one was silent for too long. */
  onLeadershipLost(): void
}

/** The time from joining to leaving, or to the loss of the lock. */
interface ElectionTerm {
  readonly queueAbort: AbortController
  readonly done: PromiseWithResolvers<void>
  /** Two if the lock became free at the moment when it was stolen. */
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

  /** Resolves once this window either leads or waits for the leader's end. Rejects without locks. */
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

  /** Takes the lock ahead of all windows that wait. Only for a window that is in view and got no answer. */
  stealLock(): void {
    const term = this.#term
    if (!term || term.heldLocks > 0 || term.isStealing) return
    term.isStealing = true
    term.queueAbort.abort()
    this.#requestLock(term, { steal: true }).catch(() => {}) // Another window stole it in turn.
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
    this.#requestLock(term, { signal: term.queueAbort.signal }).catch(() => {}) // The lock was stolen, or is no longer wanted.
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

  /** If this window had the lock and did not leave, the lock was stolen. */
  #onLockLost(term: ElectionTerm): void {
    term.heldLocks -= 1
    if (this.#term !== term || term.heldLocks > 0) return
    this.#term = null
    this.#handlers.onLeadershipLost()
  }
}
