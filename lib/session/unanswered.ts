/**
 * What a client has said and keeps: an edit until it is saved or refused, anything else until it is received. One message may stand
 * for many edits. Knows numbers; does not know links, or what an edit says.
 */
import type { Numbered, Outbox } from './numbering.ts'

export interface Said extends Numbered {
  readonly bytes: Uint8Array
  readonly channel: number
  /** How many edits it stands for. */
  weight: number
  isEdit: boolean
}

export class Unanswered {
  readonly #outbox: Outbox<Said>

  constructor(outbox: Outbox<Said>) {
    this.#outbox = outbox
  }

  get hasEdits(): boolean {
    return this.#outbox.after(0).some(({ isEdit }) => isEdit)
  }

  received(upTo: number): void {
    this.#outbox.release(({ isEdit, number }) => !isEdit && number <= upTo)
  }

  /** Returns how many edits are saved by that. */
  saved(channel: number, upTo: number): number {
    return this.#release((said) => said.channel === channel && said.number <= upTo)
  }

  /** Returns how many edits are refused by that. */
  refused(channel: number, number: number): number {
    return this.#release((said) => said.channel === channel && said.number === number)
  }

  /** They stay on the line until they are received: without them there would be a gap for good. */
  disown(channel: number): void {
    for (const said of this.#outbox.after(0)) {
      if (said.channel !== channel) continue
      said.isEdit = false
      said.weight = 0
    }
  }

  #release(done: (said: Said) => boolean): number {
    return this.#outbox.release(done).reduce((sum, { weight }) => sum + weight, 0)
  }
}
