/**
 * Estimates how far another clock is from this one (L2), from requests and responses. A response was made between sending and receiving,
 * so half of the round trip is the bound of the error. Of the last minute the response with the least bound counts.
 */

/** `ms` added to a local time gives the other clock's time; it may be wrong by `boundMs` either way. */
export interface ClockOffset {
  readonly ms: number
  readonly boundMs: number
}

/** Older samples are dropped, because clocks drift. In ms. */
export const MAX_SAMPLE_AGE_MS = 60_000
/** How far two clocks drift apart in a ms at most: 50 millionths are a poor quartz. The bound of a sample grows by it. */
const MAX_DRIFT = 50e-6
/** A browser rounds its clock to 0.1 ms. */
const RESOLUTION_MS = 0.1
/** Two processes of one browser differ by up to 0.08 ms in their 1970 (Chromium 156), and each rounds. */
export const SHARED_CLOCK_BOUND_MS = 0.2

interface ClockSample extends ClockOffset {
  readonly at: number
}

export class ClockEstimate {
  #samples: ClockSample[] = []

  /** @param remoteTime The other clock's time. All in ms. Invalid values are skipped. */
  add(sentAt: number, receivedAt: number, remoteTime: number): void {
    const roundTrip = receivedAt - sentAt
    if (!(roundTrip >= 0 && roundTrip < MAX_SAMPLE_AGE_MS) || !Number.isFinite(remoteTime)) return
    const sample = {
      at: receivedAt,
      ms: remoteTime - (sentAt + receivedAt) / 2,
      boundMs: roundTrip / 2 + RESOLUTION_MS,
    }
    this.#samples = [...this.#recent(receivedAt), sample]
  }

  /** Returns null where nothing recent is known. */
  get(now: number): ClockOffset | null {
    let best: ClockOffset | null = null
    for (const { at, ms, boundMs } of this.#recent(now)) {
      const aged = boundMs + (now - at) * MAX_DRIFT
      if (!best || aged < best.boundMs) best = { ms, boundMs: aged }
    }
    return best
  }

  /** Forgets all samples, since another server has another clock. */
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
