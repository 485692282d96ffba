/**
 * Says things in order on whichever link is the current one: numbered messages from an outbox, unnumbered ones once, and the
 * confirmation it owes along with either. All that one turn of the event loop says goes out together. Both ends use it.
 */
import type { EncodedMessage } from '../protocol/framing.ts'
import type { Clock } from './clock.ts'
import { Outbox, type NumberedEntry } from './numbering.ts'

export interface SendingLink {
  /** The last numbered message that went out here. */
  sentUpTo: number
  /** Never rejects: a link that cannot send closes itself. */
  send(messages: readonly EncodedMessage[]): void
}

export interface ReliableSenderOptions {
  readonly clock: Clock
  /** How long the other side may wait to hear what arrived; anything said meanwhile carries it along. */
  readonly acknowledgeWithinMs: number
  acknowledgement(): Uint8Array
  /** All up to this number went out. */
  onSent?(upTo: number): void
}

export class ReliableSender<Entry extends NumberedEntry> {
  readonly outbox = new Outbox<Entry>()
  readonly #options: ReliableSenderOptions
  #link: SendingLink | null = null
  #unnumbered: Uint8Array[] = []
  #unnumberedBytes = 0
  #flushing = false
  #owesAcknowledgement = false
  #cancelAcknowledgement = () => {}

  constructor(options: ReliableSenderOptions) {
    this.#options = options
  }

  /** Of what is said once, and goes out when this turn of the event loop ends. */
  get unnumberedBytes(): number {
    return this.#unnumberedBytes
  }

  /** From now on speech goes here; null: nowhere, numbered messages wait. */
  sendOn(link: SendingLink | null): void {
    this.#link = link
    this.#dropUnnumbered()
    this.#acknowledgeSoon()
    this.flushSoon()
  }

  send(make: (number: number) => Entry): Entry {
    const entry = this.outbox.add(make)
    this.flushSoon()
    return entry
  }

  /** Without a link it is not said at all. */
  sendUnnumbered(message: Uint8Array): void {
    if (!this.#link) return
    this.#unnumbered.push(message)
    this.#unnumberedBytes += message.length
    this.flushSoon()
  }

  oweAcknowledgement(): void {
    if (this.#owesAcknowledgement) return
    this.#owesAcknowledgement = true
    this.#acknowledgeSoon()
  }

  /** What fell due without a link is still owed on the next: the other side keeps everything until it is confirmed. */
  #acknowledgeSoon(): void {
    this.#cancelAcknowledgement()
    if (!this.#owesAcknowledgement || !this.#link) return
    this.#cancelAcknowledgement = this.#options.clock.after(this.#options.acknowledgeWithinMs, () => {
      this.#link?.send([this.#takeAcknowledgement()])
    })
  }

  flushSoon(): void {
    if (this.#flushing) return
    this.#flushing = true
    queueMicrotask(this.#flushNow)
  }

  readonly #flushNow = (): void => {
    this.#flushing = false
    this.flush()
  }

  flush(): void {
    if (!this.#link) return
    const messages = this.outbox.messagesAfter(this.#link.sentUpTo)
    // Unnumbered last: a presence speaks of a channel and a text that the other side then has.
    if (this.#unnumbered.length > 0) messages.push(...this.#unnumbered)
    if (messages.length === 0) return
    this.#dropUnnumbered()
    this.#link.sentUpTo = this.outbox.last
    if (this.#owesAcknowledgement) messages.push(this.#takeAcknowledgement())
    this.#link.send(messages)
    this.#options.onSent?.(this.outbox.last)
  }

  stop(): void {
    this.#cancelAcknowledgement()
    this.#link = null
  }

  #dropUnnumbered(): void {
    this.#unnumbered = []
    this.#unnumberedBytes = 0
  }

  #takeAcknowledgement(): Uint8Array {
    this.#owesAcknowledgement = false
    this.#cancelAcknowledgement()
    return this.#options.acknowledgement()
  }
}
