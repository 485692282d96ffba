/**
 * Decides how much of the send queue one polled answer takes: the client reads the whole answer before its next poll, so on a slow
 * network a large one looks like a dead link. The size begins small, and grows as long as the next poll comes soon. Knows only bytes
 * and times.
 */
import { MAX_BATCH_BYTES } from '../../lib/protocol/limits.ts'

/** At 8 KB/s this takes 2 s. */
const FIRST_BYTES = 16 * 1024
const FAST_POLL_MS = 1_000
/** Well below the time that a link lives without a poll, and the time after which the client thinks that it is dead. */
const SLOW_POLL_MS = 4_000
const GROWTH_FACTOR = 4

export class PollAnswerSize {
  limitBytes = FIRST_BYTES

  /** @param ms The time from an answer about as large as the limit to the next poll. */
  onNextPoll(ms: number): void {
    if (ms < FAST_POLL_MS) this.limitBytes = Math.min(MAX_BATCH_BYTES, this.limitBytes * GROWTH_FACTOR)
    else if (ms > SLOW_POLL_MS)
      this.limitBytes = Math.max(FIRST_BYTES / GROWTH_FACTOR, this.limitBytes / GROWTH_FACTOR)
  }
}
