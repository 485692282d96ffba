/** Converts a time of another window's clock to this window's clock (L2), with the bound of the error. */
import { couldBeSameClock, type ClockOffset, SHARED_CLOCK_BOUND_MS } from './clock-estimate.ts'

export interface ClockPair {
  /** From this window to the server; null while not known. */
  readonly own: ClockOffset | null
  readonly other: ClockOffset | null
  /** Whether both windows belong to one browser. */
  readonly sameBrowser: boolean
}

/**
 * The offset to add to a time of the other clock. Null while the two clocks cannot be compared: then nothing is reported about the edit.
 */
export function clockOffsetBetween({ own, other, sameBrowser }: ClockPair): ClockOffset | null {
  // A machine that slept, or a clock that was set, separates even the clocks of one browser's windows.
  const shared = sameBrowser && (!own || !other || couldBeSameClock(own, other))
  if (shared) return { ms: 0, boundMs: SHARED_CLOCK_BOUND_MS }
  if (!own || !other) return null
  return { ms: other.ms - own.ms, boundMs: own.boundMs + other.boundMs }
}
