import type { CloseReason } from '../protocol/close.ts'

export interface RetryAttempt {
  /** How many attempts failed since the last link that lasted. */
  readonly attempt: number
  readonly reason: CloseReason
  /** In [0, 1). */
  readonly random: number
}

const FIRST_BACKOFF_MS = 250
/** A client is back within 5 s of the server's return, however long that was away, unless the server asked for a longer wait. */
const MAX_BACKOFF_MS = 5_000
/** The longest wait that a server may ask for. A timer of more than 2³¹ ms would fire at once. */
const MAX_RETRY_AFTER_MS = 5 * 60_000

/**
 * Milliseconds until the next try (S8): full jitter, uniform in [0, min(cap, first × 2^attempt)), which Brooker measured as best
 * in "Exponential Backoff And Jitter" (2015). The server's retry-after is obeyed, with jitter on top, so that the clients that
 * one restart sent away do not all come back at once. Windows that shared a link come back as one client: there is
 * nothing to spread.
 */
export function retryDelayMs({ attempt, reason, random }: RetryAttempt): number {
  if (reason.code === 'handed-over' && attempt === 0) return 0
  const ceiling = Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** Math.min(attempt, 16))
  const requestedMs = Math.min(MAX_RETRY_AFTER_MS, reason.retryAfterMs ?? 0)
  return requestedMs + random * Math.max(ceiling, requestedMs)
}
