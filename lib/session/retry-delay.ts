import type { CloseReason } from '../protocol/close.ts'

export interface RetryAttempt {
  /** Failures since the last link that lasted; 0 for the first. */
  readonly attempt: number
  readonly reason: CloseReason
  /** In [0, 1). */
  readonly random: number
}

const FIRST_BACKOFF_MS = 250
/** Whoever writes is back within 5 s of the server, however long it was away. */
const MAX_BACKOFF_MS = 5_000
/** What a server may ask for. A timer of more than 2³¹ ms would fire at once. */
const MAX_RETRY_AFTER_MS = 5 * 60_000

/**
 * Milliseconds until the next try (S8): full jitter, uniform in [0, min(cap, first × 2^attempt)), as measured best by Brooker,
 * "Exponential Backoff And Jitter" (2015). What the server asks for with retry-after is obeyed and jittered on top, so that
 * everybody whom one restart sent away does not come back at once. Windows that another one takes along come as one: there is
 * nothing to spread.
 */
export function retryDelayMs({ attempt, reason, random }: RetryAttempt): number {
  if (reason.code === 'handed-over' && attempt === 0) return 0
  const ceiling = Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** Math.min(attempt, 16))
  const requestedMs = Math.min(MAX_RETRY_AFTER_MS, reason.retryAfterMs ?? 0)
  return requestedMs + random * Math.max(ceiling, requestedMs)
}
