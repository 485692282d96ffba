/**
 * Whether the other side lives (S7), judged by what was received and by pings left unanswered. A timer alone proves nothing:
 * it fires about once a minute in a hidden window, not at all in a sleeping machine, and before the answer is read in a busy
 * page. So a late check pings again before it gives up, but only once: a hidden window's next check is late as well. It knows
 * times and not links.
 */
export interface LivenessTiming {
  /** The time between two checks while the machine is awake. */
  readonly checkMs: number
  /** The silence after which a ping is sent. */
  readonly quietMs: number
  /** The time for an answer, unless the network is known to be slower. */
  readonly answerMs: number
}

/** Together with the checks' own delay, a half-open link is noticed within twice `quietMs`. */
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

  /** A ping is sent that no check asked for. */
  onPing(now: number): void {
    this.#lastPing ??= { at: now, late: false }
  }

  /** @param answerMs The time for an answer. */
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
