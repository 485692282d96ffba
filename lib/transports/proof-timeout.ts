/** How long to wait for a sign of life (S5): two seconds and four round trips. Pure: times in, times out. */

/** The least that anything is granted. */
export const MIN_PROOF_MS = 2_000
const ROUND_TRIPS = 4
/** Where none was measured yet. */
const ASSUMED_ROUND_TRIP_MS = 500
/** A measurement may have waited behind much text: it makes nobody wait for ever. */
const MAX_ROUND_TRIP_MS = 2_000

/** @param roundTripMs As measured. */
export function proofTimeoutMs(roundTripMs: number | undefined): number {
  return MIN_PROOF_MS + ROUND_TRIPS * Math.min(roundTripMs ?? ASSUMED_ROUND_TRIP_MS, MAX_ROUND_TRIP_MS)
}
