/**
 * Whether the other side lives (S7), judged by what was heard and by pings left unanswered. A timer alone proves nothing:
 * a hidden window's fire about once a minute, a sleeping machine's not at all, a busy page's before it read the answer. So a
 * check that comes late asks again before it gives up, once: a hidden window's next check is late as well. Knows times; does
 * not know links.
 */
export interface LivenessRhythm {
  /** Checks come this far apart, when the machine is awake. */
  readonly checkMs: number
  /** Silence after which we ask. */
  readonly quietMs: number
  /** An answer is owed within, unless the network is known to be slower. */
  readonly answerMs: number
}

/** With the checks' own delay, a half-open link is noticed within twice `quietMs`. */
export const rhythm: LivenessRhythm = { checkMs: 2_500, quietMs: 10_000, answerMs: 5_000 }

export type Verdict = 'fine' | 'ask' | 'dead'

export class Liveness {
  readonly #rhythm: LivenessRhythm
  #heardAt: number
  #checkedAt: number
  #asked: { readonly at: number; readonly late: boolean } | null = null

  constructor(now: number, chosen: LivenessRhythm = rhythm) {
    this.#rhythm = chosen
    this.#heardAt = now
    this.#checkedAt = now
  }

  heard(now: number): void {
    this.#heardAt = now
    this.#asked = null
  }

  /** Somebody asks without a check's advice. */
  asked(now: number): void {
    this.#asked ??= { at: now, late: false }
  }

  /** @param answerMs What to grant an answer. */
  check(now: number, answerMs = this.#rhythm.answerMs): Verdict {
    const { checkMs, quietMs } = this.#rhythm
    const late = now - this.#checkedAt > 3 * checkMs
    this.#checkedAt = now
    if (this.#asked) {
      const overdue = now - this.#asked.at - answerMs
      if (overdue <= 0) return 'fine'
      if (this.#asked.late || overdue <= 2 * checkMs) return 'dead'
    } else if (!late && now - this.#heardAt <= quietMs) return 'fine'
    this.#asked = { at: now, late: late || this.#asked !== null }
    return 'ask'
  }
}
