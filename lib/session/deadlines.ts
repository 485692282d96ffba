/** How long an attempt and an answer may take (S5), by the rule of proof-timeout.ts. Pure: times in, times out. */
import { proofTimeoutMs } from '../transports/proof-timeout.ts'

export interface AttemptTiming {
  readonly roundTripMs: number | undefined
  /** How long the opening took, if it succeeded: this shows how slow the network is. */
  readonly openingMs?: number
  /** Nobody waits for the attempt, or everything failed before it: it may take one deadline more. */
  readonly hasExtraTime: boolean
}

/** The time from the start of an attempt to its proof, at most two deadlines however slow the opening. */
export function attemptTimeoutMs({ roundTripMs, openingMs, hasExtraTime }: AttemptTiming): number {
  const deadline = proofTimeoutMs(roundTripMs)
  const measured = openingMs === undefined ? deadline : proofTimeoutMs(Math.max(openingMs, roundTripMs ?? 0))
  return Math.min(2 * deadline, hasExtraTime ? 2 * measured : measured)
}

/** The slowest network that the product is made for. */
const SLOWEST_BYTES_PER_MS = 8

/** The time for an answer to a message that follows `bytes` still on their way. */
export function answerTimeoutMs(roundTripMs: number | undefined, bytes: number): number {
  return proofTimeoutMs(roundTripMs) + bytes / SLOWEST_BYTES_PER_MS
}
