/**
 * How far another clock is from this one (L2), from questions and answers: the answer was given between the two, so half of
 * what they took is how far the middle may be off. Of the last minute the answer that leaves the least doubt counts.
 */

/** To be added to a time here to have the other clock's; it may be wrong by so much either way. */
export interface Offset {
  readonly ms: number
  readonly boundMs: number
}

/** Older ones are given up: clocks drift. In ms. */
export const MAX_AGE_MS = 60_000
/** By how much two clocks part in a ms at most: 50 millionths are a poor quartz. What is measured ages by it. */
const DRIFT = 50e-6
/** A browser rounds its clock to 0.1 ms. */
const RESOLUTION_MS = 0.1
/** Two processes of one browser put 1970 up to 0.08 ms apart (Chromium 156), and each rounds. */
export const SHARED_CLOCK_MS = 0.2

interface Sample extends Offset {
  readonly at: number
}

export class ClockEstimate {
  #samples: Sample[] = []

  /** @param told What the other clock said. All in ms. Nonsense is passed over. */
  add(asked: number, answered: number, told: number): void {
    const roundTrip = answered - asked
    if (!(roundTrip >= 0 && roundTrip < MAX_AGE_MS) || !Number.isFinite(told)) return
    const sample = {
      at: answered,
      ms: told - (asked + answered) / 2,
      boundMs: roundTrip / 2 + RESOLUTION_MS,
    }
    this.#samples = [...this.#recent(answered), sample]
  }

  /** Null where nothing recent is known. */
  get(now: number): Offset | null {
    let best: Offset | null = null
    for (const { at, ms, boundMs } of this.#recent(now)) {
      const aged = boundMs + (now - at) * DRIFT
      if (!best || aged < best.boundMs) best = { ms, boundMs: aged }
    }
    return best
  }

  /** Another server, another clock. */
  reset(): void {
    this.#samples = []
  }

  #recent(now: number): Sample[] {
    return this.#samples.filter(({ at }) => now - at <= MAX_AGE_MS)
  }
}

/** Whether two clocks, each compared with a third, may be one and the same. */
export const mayAgree = (one: Offset, other: Offset): boolean =>
  Math.abs(one.ms - other.ms) <= one.boundMs + other.boundMs
