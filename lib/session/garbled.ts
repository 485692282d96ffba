/**
 * A network may garble what honest ends say: a portal answers in the server's place, a proxy repeats a batch or cuts it. What could
 * not be read is therefore a broken link at first, and the end only when it happens again and again. Knows reasons; decides no more.
 */
import type { CloseCode, CloseReason } from '../protocol/close.ts'
import { describeClose } from '../protocol/close.ts'

/** In a row, without a link in between that lasted. */
const FORGIVEN = 3

const unreadable: readonly CloseCode[] = ['bad-frame', 'bad-message']

export class Garbled {
  #count = 0

  /** A link lasted. */
  forget(): void {
    this.#count = 0
  }

  /** The reason to act on. */
  judge(reason: CloseReason): CloseReason {
    if (!unreadable.includes(reason.code) || ++this.#count > FORGIVEN) return reason
    return { code: 'lost', detail: describeClose(reason) }
  }
}
