/** Decides whether a server that ended is restarted, and when. Pure. */
import { EXIT } from './exit-codes.ts'

const FIRST_DELAY_MS = 250
const MAX_DELAY_MS = 10_000
/** A server that ran so long did not end in a row of crashes. */
const STABLE_UPTIME_MS = 60_000

export interface ServerExit {
  /** Null when a signal ended the process. */
  readonly code: number | null
  /** True when this process or an earlier one served requests: its settings are right. */
  readonly wasReady: boolean
  readonly uptimeMs: number
  /** How many short runs in a row came before this one. */
  readonly crashes: number
}

export type RestartDecision =
  { readonly exit: number } | { readonly delayMs: number; readonly crashes: number }

/**
 * A setting that is wrong, or a start that fails, is final before the first success: somebody is watching, and what they configured is
 * wrong. Later, what prevents a start may pass. A crash is always followed by a restart.
 */
export function decideRestart({ code, wasReady, uptimeMs, crashes }: ServerExit): RestartDecision {
  if (code === EXIT.ended) return { exit: code }
  if (!wasReady && (code === EXIT.setting || code === EXIT.failed)) return { exit: code }
  const earlierCrashes = uptimeMs < STABLE_UPTIME_MS ? crashes : 0
  return {
    delayMs: Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** earlierCrashes),
    crashes: earlierCrashes + 1,
  }
}
