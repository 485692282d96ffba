/** Puts a time that another window's clock told on this window's (L2), with how far it may be off. */
import { couldBeSameClock, type ClockOffset, SHARED_CLOCK_BOUND_MS } from './clock-estimate.ts'

export interface ClockPair {
  /** From here to the server; null: not known. */
  readonly own: ClockOffset | null
  readonly other: ClockOffset | null
  /** Both windows belong to one browser. */
  readonly sameBrowser: boolean
}

/** To be added to a time by the other clock. Null: nothing says how they go together, so nothing is said of the edit. */
export function clockOffsetBetween({ own, other, sameBrowser }: ClockPair): ClockOffset | null {
  // A machine that slept, or a clock that was set, parts even the windows of one browser.
  const shared = sameBrowser && (!own || !other || couldBeSameClock(own, other))
  if (shared) return { ms: 0, boundMs: SHARED_CLOCK_BOUND_MS }
  if (!own || !other) return null
  return { ms: other.ms - own.ms, boundMs: own.boundMs + other.boundMs }
}
