/**
 * Keeps the messages that a client has sent: an edit until it is saved or refused, any other until it is received. One message
 * may stand for many edits. It knows numbers; it knows neither links nor the content of edits.
 */
import type { NumberedEntry, Outbox } from './numbering.ts'

export interface SentMessage extends NumberedEntry {
  readonly bytes: Uint8Array
  readonly channel: number
  /** How many edits the message stands for. */
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

  /** Returns how many edits this saved. */
  onSaved(channel: number, upTo: number): number {
    return this.#release((message) => message.channel === channel && message.number <= upTo)
  }

  /** Returns how many edits this refused. */
  onRefused(channel: number, number: number): number {
    return this.#release((message) => message.channel === channel && message.number === number)
  }

  /** The messages stay until they are received: without them there would be a permanent gap in the numbers. */
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
