/**
 * How much of what waits one polled answer takes: the client reads it whole before it asks again, so on a slow network a large one
 * looks like a dead link. It begins small and grows as long as the next poll comes soon. Knows bytes and times alone.
 */
import { MAX_BATCH_BYTES } from '../../lib/protocol/limits.ts'

/** At 8 KB/s it takes 2 s. */
const FIRST_BYTES = 16 * 1024
const SOON_MS = 1_000
/** Well below what a link lives without a poll, and what its other end waits for a sign of life. */
const LATE_MS = 4_000
const FACTOR = 4

export class AnswerSize {
  limit = FIRST_BYTES

  /** An answer about as large as the limit was followed by the next poll after so long. */
  tookMs(ms: number): void {
    if (ms < SOON_MS) this.limit = Math.min(MAX_BATCH_BYTES, this.limit * FACTOR)
    else if (ms > LATE_MS) this.limit = Math.max(FIRST_BYTES / FACTOR, this.limit / FACTOR)
  }
}
