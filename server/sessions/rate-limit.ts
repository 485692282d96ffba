/** So many at once, and so many a second after that (A6). */
import type { Clock } from '../../lib/session/clock.ts'

export interface Rate {
  readonly atOnce: number
  readonly perSecond: number
}

/** A window stamps each frame of edits, answers every 100 ms and asks every 5 s; the rest is for measurements of fast typing. */
export const MAX_TRACES: Rate = { atOnce: 200, perSecond: 100 }

export class RateLimit {
  readonly #rate: Rate
  readonly #clock: Pick<Clock, 'now'>
  #left: number
  #at: number

  constructor(rate: Rate, clock: Pick<Clock, 'now'>) {
    this.#rate = rate
    this.#clock = clock
    this.#left = rate.atOnce
    this.#at = clock.now()
  }

  /** False: it is too much, for now. */
  take(): boolean {
    this.#refill()
    if (this.#left < 1) return false
    this.#left -= 1
    return true
  }

  /** Until `take` succeeds, in ms. */
  get waitMs(): number {
    this.#refill()
    return this.#left < 1 ? ((1 - this.#left) / this.#rate.perSecond) * 1000 : 0
  }

  #refill(): void {
    const { atOnce, perSecond } = this.#rate
    const now = this.#clock.now()
    this.#left = Math.min(atOnce, this.#left + ((now - this.#at) / 1000) * perSecond)
    this.#at = now
  }
}
