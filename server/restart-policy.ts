/** Whether a server that ended is started again, and when. Pure. */
import { EXIT } from './exit-codes.ts'

const FIRST_DELAY_MS = 250
const MAX_DELAY_MS = 10_000
/** A life of so long was none of a row of crashes. */
const STABLE_UPTIME_MS = 60_000

export interface ServerExit {
  /** Null where a signal ended it. */
  readonly code: number | null
  /** It served, in this life or in one before: what it was given is right. */
  readonly wasReady: boolean
  readonly uptimeMs: number
  /** How many short lives in a row it had before this one. */
  readonly crashes: number
}

export type RestartDecision =
  { readonly exit: number } | { readonly delayMs: number; readonly crashes: number }

/** Until it has served once somebody looks on, and what they gave is wrong; later, what keeps it from starting may pass. */
export function decideRestart({ code, wasReady, uptimeMs, crashes }: ServerExit): RestartDecision {
  if (code === EXIT.ended) return { exit: code }
  if (!wasReady && (code === EXIT.setting || code === EXIT.failed)) return { exit: code }
  const earlierCrashes = uptimeMs < STABLE_UPTIME_MS ? crashes : 0
  return {
    delayMs: Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** earlierCrashes),
    crashes: earlierCrashes + 1,
  }
}
