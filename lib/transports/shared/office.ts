/**
 * Which window of the browser leads: whoever holds the lock. The browser lets go of it with the window, however that ends.
 * Knows locks; does not know links.
 *
 *   apart ──enter──▶ following ──the lock is free, or steal──▶ leading ──leave, or stolen──▶ apart
 */
import type { LockRequest, LocksLike } from '../../locks.ts'

interface OfficeHandlers {
  onLead(): void
  /** Another window took the lock: this one was silent for too long. */
  onDeposed(): void
}

/** From entering to leaving, or to being deposed. */
interface Term {
  readonly queue: AbortController
  readonly done: PromiseWithResolvers<void>
  /** Two where the lock became free in the moment in which it was stolen. */
  locks: number
  steals: boolean
}

export class Office {
  readonly #locks: LocksLike
  readonly #name: string
  readonly #handlers: OfficeHandlers
  #term: Term | null = null
  #entered: Promise<void> = Promise.resolve()

  constructor(locks: LocksLike, name: string, handlers: OfficeHandlers) {
    this.#locks = locks
    this.#name = name
    this.#handlers = handlers
  }

  /** Resolves once it is known whether this window leads, or waits for the end of the one that does. Rejects without locks. */
  enter(): Promise<void> {
    if (!this.#term) {
      this.#term = {
        queue: new AbortController(),
        done: Promise.withResolvers(),
        locks: 0,
        steals: false,
      }
      this.#entered = this.#ask(this.#term)
    }
    return this.#entered
  }

  /** Ahead of all who wait. Only for a window that is in view and got no answer. */
  steal(): void {
    const term = this.#term
    if (!term || term.locks > 0 || term.steals) return
    term.steals = true
    term.queue.abort()
    this.#request(term, { steal: true }).catch(() => {}) // stolen in its turn
  }

  leave(): void {
    this.#term?.queue.abort()
    this.#term?.done.resolve()
    this.#term = null
  }

  #ask(term: Term): Promise<void> {
    const answered = Promise.withResolvers<void>()
    this.#request(term, { ifAvailable: true }, (isFree) => {
      answered.resolve()
      if (!isFree && this.#term === term) this.#queue(term)
    }).catch((error: unknown) => {
      if (this.#term === term) this.#term = null
      answered.reject(error)
    })
    return answered.promise
  }

  #queue(term: Term): void {
    this.#request(term, { signal: term.queue.signal }).catch(() => {}) // stolen, or no longer wanted
  }

  async #request(term: Term, options: LockRequest, onAnswer?: (isFree: boolean) => void): Promise<void> {
    let holds = false
    const hold = (lock: object | null): Promise<void> => {
      onAnswer?.(lock !== null)
      if (!lock || this.#term !== term) return Promise.resolve()
      holds = true
      term.locks += 1
      if (term.locks === 1) this.#handlers.onLead()
      return term.done.promise
    }
    try {
      await this.#locks.request(this.#name, options, hold)
    } finally {
      if (holds) this.#lost(term)
    }
  }

  /** This window had it, and did not leave: it was stolen. */
  #lost(term: Term): void {
    term.locks -= 1
    if (this.#term !== term || term.locks > 0) return
    this.#term = null
    this.#handlers.onDeposed()
  }
}
