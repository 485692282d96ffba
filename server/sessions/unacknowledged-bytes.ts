/** Counts and limits the bytes that a session sent and its client has not acknowledged (S6). Does not know their content. */
import { MAX_MESSAGE_BYTES } from '../../lib/protocol/limits.ts'

/** For changes. Beyond it they are merged into one, sent when the reader has caught up to CAUGHT_UP_SHARE. */
const MAX_LAG_BYTES = 1024 * 1024
const CAUGHT_UP_SHARE = 1 / 16
/** For all other messages but states: a reader that acknowledges anything never lets so many pile up. */
const MAX_ANSWER_BYTES = 1024 * 1024
/** For a session without a link: one that lacks more starts afresh by state vectors. */
const MAX_BYTES_WITHOUT_LINK = 4 * 1024 * 1024
/** For all kinds, first states included: two of the largest documents at once. */
const MAX_BYTES = 2 * MAX_MESSAGE_BYTES

/** A state has a kind of its own, because a large document on a slow line is no fault of its reader. */
export type UnacknowledgedKind = 'state' | 'change' | 'answer'

export class UnacknowledgedBytes {
  // One field a kind, and no record for them, since there are thousands of sessions.
  state = 0
  change = 0
  answer = 0
  readonly #maxLagBytes: number

  /** @param maxLagBytes Tests make it smaller. */
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

  /** A change that is larger than the limit is sent alone. */
  hasRoomFor(changeBytes: number): boolean {
    return this.change === 0 || this.change + changeBytes <= this.#maxLagBytes
  }

  /** A merged change counts as a state: it too has to be acknowledged before the next one. */
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
