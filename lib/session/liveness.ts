/**
 * Whether the other side lives (S7), judged by what was heard and by pings left unanswered. A timer alone proves nothing:
 * a hidden window's fire about once a minute, a sleeping machine's not at all, a busy page's before it read the answer. So a
 * check that comes late asks again before it gives up, once: a hidden window's next check is late as well. Knows times; does
 * not know links.
 */
export interface LivenessTiming {
  /** Checks come this far apart, when the machine is awake. */
  readonly checkMs: number
  /** Silence after which we ask. */
  readonly quietMs: number
  /** An answer is owed within, unless the network is known to be slower. */
  readonly answerMs: number
}

/** With the checks' own delay, a half-open link is noticed within twice `quietMs`. */
export const livenessTiming: LivenessTiming = { checkMs: 2_500, quietMs: 10_000, answerMs: 5_000 }

export type LivenessVerdict = 'fine' | 'ask' | 'dead'

export class Liveness {
  readonly #timing: LivenessTiming
  #receivedAt: number
  #checkedAt: number
  #lastPing: { readonly at: number; readonly late: boolean } | null = null

  constructor(now: number, timing: LivenessTiming = livenessTiming) {
    this.#timing = timing
    this.#receivedAt = now
    this.#checkedAt = now
  }

  onReceived(now: number): void {
    this.#receivedAt = now
    this.#lastPing = null
  }

  /** Somebody asks without a check's advice. */
  onPing(now: number): void {
    this.#lastPing ??= { at: now, late: false }
  }

  /** @param answerMs What to grant an answer. */
  check(now: number, answerMs = this.#timing.answerMs): LivenessVerdict {
    const { checkMs, quietMs } = this.#timing
    const late = now - this.#checkedAt > 3 * checkMs
    this.#checkedAt = now
    if (this.#lastPing) {
      const overdue = now - this.#lastPing.at - answerMs
      if (overdue <= 0) return 'fine'
      if (this.#lastPing.late || overdue <= 2 * checkMs) return 'dead'
    } else if (!late && now - this.#receivedAt <= quietMs) return 'fine'
    this.#lastPing = { at: now, late: late || this.#lastPing !== null }
    return 'ask'
  }
}
