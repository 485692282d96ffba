/** How many bytes a session has said that its client has not confirmed, and how many those may be (S6). Does not know what they say. */
import { MAX_MESSAGE_BYTES } from '../../lib/protocol/limits.ts'

/** Of changes. Past it they are merged into one, said once the reader has caught up to CAUGHT_UP. */
const MAX_LAG_BYTES = 1024 * 1024
const CAUGHT_UP_SHARE = 1 / 16
/** What else is said a reader confirms sooner or later: not as much of it is kept. */
const MAX_ANSWER_BYTES = 1024 * 1024
/** For a session without a link: one that has more to hear starts afresh by state vectors. */
const MAX_BYTES_WITHOUT_LINK = 4 * 1024 * 1024
/** First states included: two of the largest documents at once. */
const MAX_BYTES = 2 * MAX_MESSAGE_BYTES

/** A state counts as neither of the others: a large document on a slow line is no fault of its reader. */
export type UnacknowledgedKind = 'state' | 'change' | 'answer'

export class UnacknowledgedBytes {
  // By kind, and not in a record of their own: there are thousands of these.
  state = 0
  change = 0
  answer = 0
  readonly #maxLagBytes: number

  /** @param maxLagBytes Less in tests. */
  constructor(maxLagBytes = MAX_LAG_BYTES) {
    this.#maxLagBytes = maxLagBytes
  }

  add(kind: UnacknowledgedKind, bytes: number): void {
    this[kind] += bytes
  }

  subtract(kind: UnacknowledgedKind, bytes: number): void {
    this[kind] -= bytes
  }

  get bytes(): number {
    return this.state + this.change + this.answer
  }

  /** One that is larger than the limit goes alone. */
  hasRoomFor(changeBytes: number): boolean {
    return this.change === 0 || this.change + changeBytes <= this.#maxLagBytes
  }

  /** A merged change counts as a state: before the next one that, too, has to be there. */
  get isCaughtUp(): boolean {
    return this.change + this.state <= this.#maxLagBytes * CAUGHT_UP_SHARE
  }

  get isOverLimit(): boolean {
    return this.answer > MAX_ANSWER_BYTES || this.bytes > MAX_BYTES
  }

  get isOverLimitWithoutLink(): boolean {
    return this.bytes > MAX_BYTES_WITHOUT_LINK
  }
}
