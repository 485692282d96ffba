/**
 * What a client has said and keeps: an edit until it is saved or refused, anything else until it is received. One message may stand
 * for many edits. Knows numbers; does not know links, or what an edit says.
 */
import type { NumberedEntry, Outbox } from './numbering.ts'

export interface SentMessage extends NumberedEntry {
  readonly bytes: Uint8Array
  readonly channel: number
  /** How many edits it stands for. */
  editCount: number
  isEdit: boolean
}

export class UnacknowledgedMessages {
  readonly #outbox: Outbox<SentMessage>

  constructor(outbox: Outbox<SentMessage>) {
    this.#outbox = outbox
  }

  get hasEdits(): boolean {
    return this.#outbox.after(0).some(({ isEdit }) => isEdit)
  }

  onReceived(upTo: number): void {
    this.#outbox.release(({ isEdit, number }) => !isEdit && number <= upTo)
  }

  /** Returns how many edits are saved by that. */
  onSaved(channel: number, upTo: number): number {
    return this.#release((message) => message.channel === channel && message.number <= upTo)
  }

  /** Returns how many edits are refused by that. */
  onRefused(channel: number, number: number): number {
    return this.#release((message) => message.channel === channel && message.number === number)
  }

  /** They stay on the line until they are received: without them there would be a gap for good. */
  abandonEdits(channel: number): void {
    for (const message of this.#outbox.after(0)) {
      if (message.channel !== channel) continue
      message.isEdit = false
      message.editCount = 0
    }
  }

  #release(done: (message: SentMessage) => boolean): number {
    return this.#outbox.release(done).reduce((sum, { editCount }) => sum + editCount, 0)
  }
}
