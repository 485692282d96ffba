/** How long to wait for a sign of life (S5): two seconds and four round trips. Pure: times in, times out. */

/** The shortest timeout. */
export const MIN_PROOF_MS = 2_000
const ROUND_TRIPS = 4
/** Assumed before the first measurement. */
const ASSUMED_ROUND_TRIP_MS = 500
/** A measured request may have waited behind much text: the limit keeps timeouts short. */
const MAX_ROUND_TRIP_MS = 2_000

/** @param roundTripMs The measured round trip. */
export function proofTimeoutMs(roundTripMs: number | undefined): number {
  return MIN_PROOF_MS + ROUND_TRIPS * Math.min(roundTripMs ?? ASSUMED_ROUND_TRIP_MS, MAX_ROUND_TRIP_MS)
}
