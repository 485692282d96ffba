/**
 * A network may garble what honest ends say: a portal answers in the server's place, a proxy repeats a batch or cuts it. What could
 * not be read is therefore a broken link at first, and the end only when it happens again and again. Knows reasons; decides no more.
 */
import type { CloseCode, CloseReason } from '../protocol/close.ts'
import { describeClose } from '../protocol/close.ts'

/** In a row, without a link in between that lasted. */
const MAX_DECODE_ERRORS = 3

const decodeErrorCodes: readonly CloseCode[] = ['bad-frame', 'bad-message']

export class DecodeErrorBudget {
  #count = 0

  /** A link lasted. */
  reset(): void {
    this.#count = 0
  }

  /** The reason to act on. */
  downgrade(reason: CloseReason): CloseReason {
    if (!decodeErrorCodes.includes(reason.code) || ++this.#count > MAX_DECODE_ERRORS) return reason
    return { code: 'lost', detail: describeClose(reason) }
  }
}
