/**
 * Says things in order on whichever link is the current one: numbered messages from an outbox, unnumbered ones once, and the
 * confirmation it owes along with either. All that one turn of the event loop says goes out together. Both ends use it.
 */
import type { Encoded } from '../protocol/envelope.ts'
import type { Clock } from './clock.ts'
import { Outbox, type Numbered } from './numbering.ts'

export interface Outlet {
  /** The last numbered message that went out here. */
  sentUpTo: number
  /** Never rejects: a link that cannot send closes itself. */
  send(messages: readonly Encoded[]): void
}

export interface SpeakerOptions {
  readonly clock: Clock
  /** How long the other side may wait to hear what arrived; anything said meanwhile carries it along. */
  readonly confirmWithinMs: number
  confirmation(): Uint8Array
  /** All up to this number went out. */
  onSent?(upTo: number): void
}

export class Speaker<Entry extends Numbered> {
  readonly outbox = new Outbox<Entry>()
  readonly #options: SpeakerOptions
  #outlet: Outlet | null = null
  #once: Uint8Array[] = []
  #onceBytes = 0
  #flushing = false
  #owes = false
  #cancelConfirm = () => {}

  constructor(options: SpeakerOptions) {
    this.#options = options
  }

  /** Of what is said once, and goes out when this turn of the event loop ends. */
  get onceBytes(): number {
    return this.#onceBytes
  }

  /** From now on speech goes here; null: nowhere, numbered messages wait. */
  speakOn(outlet: Outlet | null): void {
    this.#outlet = outlet
    this.#dropOnce()
    this.#confirmSoon()
    this.flushSoon()
  }

  say(make: (number: number) => Entry): Entry {
    const entry = this.outbox.add(make)
    this.flushSoon()
    return entry
  }

  /** Without a link it is not said at all. */
  sayOnce(message: Uint8Array): void {
    if (!this.#outlet) return
    this.#once.push(message)
    this.#onceBytes += message.length
    this.flushSoon()
  }

  oweConfirmation(): void {
    if (this.#owes) return
    this.#owes = true
    this.#confirmSoon()
  }

  /** What fell due without a link is still owed on the next: the other side keeps everything until it is confirmed. */
  #confirmSoon(): void {
    this.#cancelConfirm()
    if (!this.#owes || !this.#outlet) return
    this.#cancelConfirm = this.#options.clock.after(this.#options.confirmWithinMs, () => {
      this.#outlet?.send([this.#confirmation()])
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
    if (!this.#outlet) return
    const messages = this.outbox.messagesAfter(this.#outlet.sentUpTo)
    // Unnumbered last: a presence speaks of a channel and a text that the other side then has.
    if (this.#once.length > 0) messages.push(...this.#once)
    if (messages.length === 0) return
    this.#dropOnce()
    this.#outlet.sentUpTo = this.outbox.last
    if (this.#owes) messages.push(this.#confirmation())
    this.#outlet.send(messages)
    this.#options.onSent?.(this.outbox.last)
  }

  stop(): void {
    this.#cancelConfirm()
    this.#outlet = null
  }

  #dropOnce(): void {
    this.#once = []
    this.#onceBytes = 0
  }

  #confirmation(): Uint8Array {
    this.#owes = false
    this.#cancelConfirm()
    return this.#options.confirmation()
  }
}
