/** A link whose principal is charged for what the network has not taken of it, and for messages that came only in part. */
import type { CloseReason } from '../../lib/protocol/close.ts'
import { SENT } from '../../lib/transports/link.ts'
import type { Link, LinkInfo } from '../../lib/transports/transport.ts'
import type { BufferAccount, BufferBudget } from './buffer-budget.ts'

/** What a frame that waits costs beside its bytes: a pong has three. */
export const FRAME_COST_BYTES = 256

export class ChargedLink implements Link {
  readonly #link: Link
  readonly #debt: BufferAccount
  #framesWaiting = 0
  #isClosed = false

  constructor(link: Link, bufferBudget: BufferBudget, principal: string) {
    this.#link = link
    this.#debt = bufferBudget.openAccount(principal, (reason) => this.close(reason))
  }

  get info(): LinkInfo {
    return this.#link.info
  }

  send(frame: Uint8Array): Promise<void> {
    const sent = this.#link.send(frame)
    if (sent !== SENT) this.#wait(frame.length + FRAME_COST_BYTES, sent)
    return sent
  }

  close(reason: CloseReason): void {
    this.#link.close(reason)
  }

  /** @param bytes Pieces of messages that came and wait for the rest; fewer than none: they wait no more. */
  chargePartial(bytes: number): void {
    if (bytes > 0) this.#debt.charge(bytes)
    else this.#debt.release(-bytes)
  }

  /** Its debt lasts until the network has let go of the last frame: a close frame waits behind all of them. */
  onClosed(): void {
    this.#isClosed = true
    this.#settle()
  }

  #wait(bytes: number, sent: Promise<void>): void {
    this.#framesWaiting += 1
    this.#debt.charge(bytes)
    const release = (): void => {
      this.#framesWaiting -= 1
      this.#debt.release(bytes)
      this.#settle()
    }
    sent.then(release, release)
  }

  #settle(): void {
    if (this.#isClosed && this.#framesWaiting === 0) this.#debt.close()
  }
}
