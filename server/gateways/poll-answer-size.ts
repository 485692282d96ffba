/**
 * How much of what waits one polled answer takes: the client reads it whole before it asks again, so on a slow network a large one
 * looks like a dead link. It begins small and grows as long as the next poll comes soon. Knows bytes and times alone.
 */
import { MAX_BATCH_BYTES } from '../../lib/protocol/limits.ts'

/** At 8 KB/s it takes 2 s. */
const FIRST_BYTES = 16 * 1024
const FAST_POLL_MS = 1_000
/** Well below what a link lives without a poll, and what its other end waits for a sign of life. */
const SLOW_POLL_MS = 4_000
const GROWTH_FACTOR = 4

export class PollAnswerSize {
  limitBytes = FIRST_BYTES

  /** An answer about as large as the limit was followed by the next poll after so long. */
  onNextPoll(ms: number): void {
    if (ms < FAST_POLL_MS) this.limitBytes = Math.min(MAX_BATCH_BYTES, this.limitBytes * GROWTH_FACTOR)
    else if (ms > SLOW_POLL_MS)
      this.limitBytes = Math.max(FIRST_BYTES / GROWTH_FACTOR, this.limitBytes / GROWTH_FACTOR)
  }
}
