/**
 * Whether a delay is good, fair or poor. What the network takes in any case is no fault of ours, so limits stand above the base
 * latency: the least round trip on the link in use. An edit that goes elsewhere takes half of it up and half of it down.
 */
import type { RemoteStage, OwnStage } from './latency-state.ts'

export type Verdict = 'good' | 'fair' | 'poor'

/** In ms, the base included: up to `good`, up to `fair`, and above. */
export interface VerdictLimits {
  readonly good: number
  readonly fair: number
}

interface Allowance extends VerdictLimits {
  /** Round trips of the network that belong to it. */
  readonly roundTrips: 0 | 1
}

/**
 * At 50 ms typing feels direct, from 100 ms on it is noticed (Nielsen's tenth of a second; the Web's RAIL model). Others' edits may
 * take as much again for a commit, a busy window and two frames before anybody sees them apart from their own.
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

/** @param baseMs The least round trip; undefined: not known, nothing is allowed for. */
export function limitsOf(stage: keyof typeof allowances, baseMs: number | undefined): VerdictLimits {
  const { roundTrips, good, fair } = allowances[stage]
  const base = roundTrips * (baseMs ?? 0)
  return { good: base + good, fair: base + fair }
}

export function verdictOn(ms: number, { good, fair }: VerdictLimits): Verdict {
  if (ms <= good) return 'good'
  return ms <= fair ? 'fair' : 'poor'
}
