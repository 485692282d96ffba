/**
 * Decides whether a delay is good, fair or poor. What the network takes in any case is not this software's fault, so limits stand above
 * the base latency: the least round trip on the link in use. An edit that goes elsewhere takes half of it up and half of it down.
 */
import type { RemoteStage, OwnStage } from './latency-state.ts'

export type Verdict = 'good' | 'fair' | 'poor'

/** In ms, the base included: up to `good`, up to `fair`, and above. */
export interface VerdictLimits {
  readonly good: number
  readonly fair: number
}

interface Allowance extends VerdictLimits {
  /** How many network round trips the stage includes. */
  readonly roundTrips: 0 | 1
}

/**
 * At 50 ms typing feels direct; from 100 ms on people notice the delay (Nielsen's tenth of a second; the Web's RAIL model). Remote edits
 * may take as much again for a commit, a busy window and two frames before anybody notices a difference to their own.
 */
const allowances: Record<OwnStage | RemoteStage | 'roundTrip', Allowance> = {
  ownPaint: { roundTrips: 0, good: 50, fair: 100 },
  sent: { roundTrips: 0, good: 20, fair: 50 },
  acknowledged: { roundTrips: 1, good: 50, fair: 150 },
  saved: { roundTrips: 1, good: 50, fair: 150 },
  received: { roundTrips: 1, good: 50, fair: 150 },
  applied: { roundTrips: 1, good: 60, fair: 170 },
  painted: { roundTrips: 1, good: 80, fair: 200 },
  roundTrip: { roundTrips: 1, good: 20, fair: 100 },
}

/** @param baseMs The least round trip; undefined while not known, and then nothing is allowed for it. */
export function limitsOf(stage: keyof typeof allowances, baseMs: number | undefined): VerdictLimits {
  const { roundTrips, good, fair } = allowances[stage]
  const base = roundTrips * (baseMs ?? 0)
  return { good: base + good, fair: base + fair }
}

export function verdictOn(ms: number, { good, fair }: VerdictLimits): Verdict {
  if (ms <= good) return 'good'
  return ms <= fair ? 'fair' : 'poor'
}
