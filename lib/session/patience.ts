/** How long to wait for a sign of life (S5): two seconds and four round trips. Pure: times in, times out. */

/** The least that anything is granted. */
export const PROOF_MS = 2_000
const ROUND_TRIPS = 4
/** Where none was measured yet. */
const ASSUMED_ROUND_TRIP_MS = 500
/** A measurement may have waited behind much text: it makes nobody wait for ever. */
const LONGEST_ROUND_TRIP_MS = 2_000

/** @param roundTripMs As measured. */
export function patienceMs(roundTripMs: number | undefined): number {
  return PROOF_MS + ROUND_TRIPS * Math.min(roundTripMs ?? ASSUMED_ROUND_TRIP_MS, LONGEST_ROUND_TRIP_MS)
}

export interface Attempt {
  readonly roundTripMs: number | undefined
  /** How long it took to open, where it did: that shows how slow the network is. */
  readonly openingMs?: number
  /** Nobody waits for it, or everything failed before it: it may take one deadline more. */
  readonly patient: boolean
}

/** From the start of an attempt to its proof, opening included. At most two deadlines, however slow the opening. */
export function attemptMs({ roundTripMs, openingMs, patient }: Attempt): number {
  const deadline = patienceMs(roundTripMs)
  const measured = openingMs === undefined ? deadline : patienceMs(Math.max(openingMs, roundTripMs ?? 0))
  return Math.min(2 * deadline, patient ? 2 * measured : measured)
}

/** The slowest network that the product is made for. */
const SLOWEST_BYTES_PER_MS = 8

/** For an answer to what follows `bytes` that are still on their way. */
export function answerMs(roundTripMs: number | undefined, bytes: number): number {
  return patienceMs(roundTripMs) + bytes / SLOWEST_BYTES_PER_MS
}
