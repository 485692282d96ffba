/**
 * Sends messages in order on the current link: numbered ones from an outbox, unnumbered ones once, and along with either the
 * acknowledgement that it owes. All messages of one turn of the event loop go out together. Both ends use it.
 */
import type { EncodedMessage } from '../protocol/framing.ts'
import type { Clock } from './clock.ts'
import { Outbox, type NumberedEntry } from './numbering.ts'

export interface SendingLink {
  /** The number of the last message that went out on this link. */
  sentUpTo: number
  /** Never rejects: a link that cannot send closes itself. */
  send(messages: readonly EncodedMessage[]): void
}

export interface ReliableSenderOptions {
  readonly clock: Clock
  /** How long an acknowledgement may wait. Any message sent meanwhile carries it along. */
  readonly acknowledgeWithinMs: number
  acknowledgement(): Uint8Array
  /** All messages up to this number went out. */
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

  /** Bytes of the unnumbered messages, which go out when this turn of the event loop ends. */
  get unnumberedBytes(): number {
    return this.#unnumberedBytes
  }

  /** Sends on this link from now on. With null, numbered messages wait. */
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

  /** Drops the message if there is no link. */
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

  /** An acknowledgement that fell due without a link goes out on the next: the other side keeps every message until then. */
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
    // Unnumbered messages go last: a presence refers to a channel and a text, which the other side has by then.
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
