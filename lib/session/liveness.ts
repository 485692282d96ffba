/**
 * Whether the other side lives (S7), judged by what was heard and by pings left unanswered. A timer alone proves nothing:
 * a hidden window's fire about once a minute, a sleeping machine's not at all. So a check that comes late asks again before
 * it gives up, once: a hidden window's next check is late as well. Knows times; does not know links.
 */
export interface LivenessRhythm {
  /** Checks come this far apart, when the machine is awake. */
  readonly checkMs: number
  /** Silence after which we ask. */
  readonly quietMs: number
  /** An answer is owed within. */
  readonly answerMs: number
}

export const rhythm: LivenessRhythm = { checkMs: 2_500, quietMs: 10_000, answerMs: 10_000 }

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

  check(now: number): Verdict {
    const late = now - this.#checkedAt > 3 * this.#rhythm.checkMs
    this.#checkedAt = now
    if (this.#asked && (this.#asked.late || !late)) {
      return now - this.#asked.at > this.#rhythm.answerMs ? 'dead' : 'fine'
    }
    if (!late && now - this.#heardAt <= this.#rhythm.quietMs) return 'fine'
    this.#asked = { at: now, late }
    return 'ask'
  }
}
