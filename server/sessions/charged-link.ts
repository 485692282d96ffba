/** A link that charges its principal for frames that the network has not taken, and for messages that came only in part. */
import type { CloseReason } from '../../lib/protocol/close.ts'
import { SENT } from '../../lib/transports/link.ts'
import type { Link, LinkInfo } from '../../lib/transports/transport.ts'
import type { BufferAccount, BufferBudget } from './buffer-budget.ts'

/** A waiting frame costs this much besides its bytes: a pong has three. */
export const FRAME_COST_BYTES = 256

export class ChargedLink implements Link {
  readonly #link: Link
  readonly #account: BufferAccount
  #waitingFrames = 0
  #isClosed = false

  /** @param onEvicted Called when it is closed because its principal, or all of them, hold too much. */
  constructor(link: Link, bufferBudget: BufferBudget, principal: string, onEvicted: () => void) {
    this.#link = link
    this.#account = bufferBudget.openAccount(principal, (reason) => {
      onEvicted()
      this.close(reason)
    })
  }

  get info(): LinkInfo {
    return this.#link.info
  }

  send(frame: Uint8Array): Promise<void> {
    const sent = this.#link.send(frame)
    if (sent !== SENT) this.#chargeUntilTaken(frame.length + FRAME_COST_BYTES, sent)
    return sent
  }

  close(reason: CloseReason): void {
    this.#link.close(reason)
  }

  /** @param bytes How many bytes of incomplete messages came; negative if they no longer wait for the rest. */
  chargePartial(bytes: number): void {
    if (bytes > 0) this.#account.charge(bytes)
    else this.#account.release(-bytes)
  }

  /** The account stays open until the network has taken the last frame: a close frame waits behind all of them. */
  onClosed(): void {
    this.#isClosed = true
    this.#closeAccountWhenTaken()
  }

  #chargeUntilTaken(bytes: number, sent: Promise<void>): void {
    this.#waitingFrames += 1
    this.#account.charge(bytes)
    const release = (): void => {
      this.#waitingFrames -= 1
      this.#account.release(bytes)
      this.#closeAccountWhenTaken()
    }
    sent.then(release, release)
  }

  #closeAccountWhenTaken(): void {
    if (this.#isClosed && this.#waitingFrames === 0) this.#account.close()
  }
}
