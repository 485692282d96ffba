/**
 * A network may garble what honest ends send: a portal answers in the server's place, a proxy repeats or cuts a batch. Bytes that
 * cannot be read therefore count as a broken link at first, and end the session only when it happens again and again. It knows
 * reasons and decides nothing else.
 */
import type { CloseCode, CloseReason } from '../protocol/close.ts'
import { describeClose } from '../protocol/close.ts'

/** How many in a row are forgiven, without a link in between that lasted. */
const MAX_DECODE_ERRORS = 3

const decodeErrorCodes: readonly CloseCode[] = ['bad-frame', 'bad-message']

export class DecodeErrorBudget {
  #count = 0

  /** Called when a link lasted. */
  reset(): void {
    this.#count = 0
  }

  /** Returns the reason to act on. */
  downgrade(reason: CloseReason): CloseReason {
    if (!decodeErrorCodes.includes(reason.code) || ++this.#count > MAX_DECODE_ERRORS) return reason
    return { code: 'lost', detail: describeClose(reason) }
  }
}
