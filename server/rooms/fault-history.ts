/**
 * Knows which parts of documents failed lately. A part that fails again and again is set aside for a while: each load and failure
 * would cost everybody else's time, and its windows would come and go without end. Knows time; does not know rooms.
 */

/** This many faults within FAULT_WINDOW_MS set a part aside. */
const MAX_FAULTS = 3
const FAULT_WINDOW_MS = 5 * 60_000
export const SET_ASIDE_MS = 10 * 60_000

interface FaultRecord {
  /** The times of its faults, the latest last. */
  readonly faultTimes: readonly number[]
  readonly setAsideUntil: number
}

export class FaultHistory {
  readonly #records = new Map<string, FaultRecord>()
  readonly #now: () => number

  /** @param now Milliseconds of a clock that never goes back. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** Returns true if the part is now set aside. */
  recordFault(key: string): boolean {
    const now = this.#now()
    this.#forget(now)
    const faultTimes = [...(this.#records.get(key)?.faultTimes ?? []), now].filter(
      (time) => now - time < FAULT_WINDOW_MS,
    )
    const isTooMany = faultTimes.length >= MAX_FAULTS
    this.#records.set(key, {
      faultTimes: isTooMany ? [] : faultTimes,
      setAsideUntil: isTooMany ? now + SET_ASIDE_MS : 0,
    })
    return isTooMany
  }

  /** How long the part is still set aside, in ms; 0 if it is not. */
  setAsideMs(key: string): number {
    return Math.max(0, (this.#records.get(key)?.setAsideUntil ?? 0) - this.#now())
  }

  #forget(now: number): void {
    for (const [key, { faultTimes, setAsideUntil }] of this.#records)
      if (setAsideUntil <= now && !faultTimes.some((time) => now - time < FAULT_WINDOW_MS))
        this.#records.delete(key)
  }
}
