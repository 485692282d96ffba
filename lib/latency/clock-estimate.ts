/**
 * How far another clock is from this one (L2), from questions and answers: the answer was given between the two, so half of
 * what they took is how far the middle may be off. Of the last minute the answer that leaves the least doubt counts.
 */

/** To be added to a time here to have the other clock's; it may be wrong by so much either way. */
export interface ClockOffset {
  readonly ms: number
  readonly boundMs: number
}

/** Older ones are given up: clocks drift. In ms. */
export const MAX_SAMPLE_AGE_MS = 60_000
/** By how much two clocks part in a ms at most: 50 millionths are a poor quartz. What is measured ages by it. */
const MAX_DRIFT = 50e-6
/** A browser rounds its clock to 0.1 ms. */
const RESOLUTION_MS = 0.1
/** Two processes of one browser put 1970 up to 0.08 ms apart (Chromium 156), and each rounds. */
export const SHARED_CLOCK_BOUND_MS = 0.2

interface ClockSample extends ClockOffset {
  readonly at: number
}

export class ClockEstimate {
  #samples: ClockSample[] = []

  /** @param remoteTime What the other clock said. All in ms. Nonsense is passed over. */
  add(askedAt: number, answeredAt: number, remoteTime: number): void {
    const roundTrip = answeredAt - askedAt
    if (!(roundTrip >= 0 && roundTrip < MAX_SAMPLE_AGE_MS) || !Number.isFinite(remoteTime)) return
    const sample = {
      at: answeredAt,
      ms: remoteTime - (askedAt + answeredAt) / 2,
      boundMs: roundTrip / 2 + RESOLUTION_MS,
    }
    this.#samples = [...this.#recent(answeredAt), sample]
  }

  /** Null where nothing recent is known. */
  get(now: number): ClockOffset | null {
    let best: ClockOffset | null = null
    for (const { at, ms, boundMs } of this.#recent(now)) {
      const aged = boundMs + (now - at) * MAX_DRIFT
      if (!best || aged < best.boundMs) best = { ms, boundMs: aged }
    }
    return best
  }

  /** Another server, another clock. */
  reset(): void {
    this.#samples = []
  }

  #recent(now: number): ClockSample[] {
    return this.#samples.filter(({ at }) => now - at <= MAX_SAMPLE_AGE_MS)
  }
}

/** Whether two clocks, each compared with a third, may be one and the same. */
export const couldBeSameClock = (one: ClockOffset, other: ClockOffset): boolean =>
  Math.abs(one.ms - other.ms) <= one.boundMs + other.boundMs
