/**
 * Counts the bytes that a session sent and its client has not acknowledged, against the limits of the session (S6), and charges them to
 * its principal. Does not know their content.
 */
import { MAX_MESSAGE_BYTES } from '../../lib/protocol/limits.ts'
import type { SharedByteHolders } from '../../lib/protocol/shared-change.ts'
import type { BufferAccount } from './buffer-budget.ts'

/** For changes. Beyond it they are merged into one, sent when the reader has caught up to CAUGHT_UP_SHARE. */
const MAX_LAG_BYTES = 1024 * 1024
const CAUGHT_UP_SHARE = 1 / 16
/** For all other messages but states: a reader that acknowledges anything never lets so many pile up. */
const MAX_ANSWER_BYTES = 1024 * 1024
/** For a session without a link: one that lacks more starts afresh by state vectors. */
const MAX_BYTES_WITHOUT_LINK = 4 * 1024 * 1024
/** For all kinds, first states included: two of the largest documents at once. */
const MAX_BYTES = 2 * MAX_MESSAGE_BYTES
/** A message costs its principal this much besides its bytes: it is kept, and mostly has ten of them. */
const MESSAGE_COST_BYTES = 128

/** A state has a kind of its own, because a large document on a slow line is no fault of its reader. */
export type UnacknowledgedKind = 'state' | 'change' | 'answer'

export interface UnacknowledgedMessage {
  readonly kind: UnacknowledgedKind
  readonly bytes: { readonly length: number }
  /** Set if other sessions send the same bytes. */
  readonly shared: SharedByteHolders | null
}

export class UnacknowledgedBytes {
  // One field a kind, and no record for them, since there are thousands of sessions.
  state = 0
  change = 0
  answer = 0
  readonly #account: BufferAccount
  readonly #maxLagBytes: number

  /** @param maxLagBytes Tests make it smaller. */
  constructor(account: BufferAccount, maxLagBytes = MAX_LAG_BYTES) {
    this.#account = account
    this.#maxLagBytes = maxLagBytes
  }

  add({ kind, bytes, shared }: UnacknowledgedMessage): void {
    this[kind] += bytes.length
    if (shared) this.#account.chargeShared(shared)
    this.#account.charge(MESSAGE_COST_BYTES + (shared ? 0 : bytes.length))
  }

  /** The message is acknowledged, or will never be sent again. */
  subtract({ kind, bytes, shared }: UnacknowledgedMessage): void {
    this[kind] -= bytes.length
    if (shared) this.#account.releaseShared(shared)
    this.#account.release(MESSAGE_COST_BYTES + (shared ? 0 : bytes.length))
  }

  /** Ends the account. Every message has to be subtracted before. */
  close(): void {
    this.#account.close()
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
