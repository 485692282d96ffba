/** Puts a time that another window's clock told on this window's (L2), with how far it may be off. */
import { mayAgree, type Offset, SHARED_CLOCK_MS } from './clock-estimate.ts'

export interface Clocks {
  /** From here to the server; null: not known. */
  readonly own: Offset | null
  readonly other: Offset | null
  /** Both windows belong to one browser. */
  readonly sameBrowser: boolean
}

/** To be added to a time by the other clock. Null: nothing says how they go together, so nothing is said of the edit. */
export function between({ own, other, sameBrowser }: Clocks): Offset | null {
  // A machine that slept, or a clock that was set, parts even the windows of one browser.
  const shared = sameBrowser && (!own || !other || mayAgree(own, other))
  if (shared) return { ms: 0, boundMs: SHARED_CLOCK_MS }
  if (!own || !other) return null
  return { ms: other.ms - own.ms, boundMs: own.boundMs + other.boundMs }
}
