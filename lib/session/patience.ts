/** What an attempt and an answer are granted (S5), by the rule of proof.ts. Pure: times in, times out. */
import { patienceMs } from '../transports/proof.ts'

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
