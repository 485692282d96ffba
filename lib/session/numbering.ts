/** Numbered messages: kept until the other side has them, accepted exactly once (S1, S2). Both ends use both classes. */

import type { EncodedMessage } from '../protocol/framing.ts'

export interface NumberedEntry {
  readonly number: number
  /** The message as it goes on the wire. */
  readonly bytes: EncodedMessage
}

export class Outbox<Entry extends NumberedEntry> {
  #entries: Entry[] = []
  #next = 1
  #bytes = 0

  get bytes(): number {
    return this.#bytes
  }

  get last(): number {
    return this.#next - 1
  }

  /** The lowest number that still waits. */
  get oldest(): number | undefined {
    return this.#entries[0]?.number
  }

  add(make: (number: number) => Entry): Entry {
    const entry = make(this.#next++)
    this.#entries.push(entry)
    this.#bytes += entry.bytes.length
    return entry
  }

  after(number: number): readonly Entry[] {
    return this.#entries.slice(this.#indexAfter(number))
  }

  messagesAfter(number: number): EncodedMessage[] {
    const messages: EncodedMessage[] = []
    for (let index = this.#indexAfter(number); index < this.#entries.length; index++)
      messages.push((this.#entries[index] as Entry).bytes)
    return messages
  }

  /** Entries are in the order of their numbers, with gaps where some were released early. */
  #indexAfter(number: number): number {
    let low = 0
    let high = this.#entries.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#entries[middle] as Entry).number > number) high = middle
      else low = middle + 1
    }
    return low
  }

  /** Releases all entries up to this number, and returns them. */
  releaseUpTo(number: number): readonly Entry[] {
    const released = this.#entries.splice(0, this.#indexAfter(number))
    for (const { bytes } of released) this.#bytes -= bytes.length
    return released
  }

  /** Releases the entries for which `done` holds, and returns them. */
  release(done: (entry: Entry) => boolean): readonly Entry[] {
    const released = this.#entries.filter(done)
    if (released.length > 0) {
      this.#entries = this.#entries.filter((entry) => !done(entry))
      for (const entry of released) this.#bytes -= entry.bytes.length
    }
    return released
  }

  /** Counts from 1 again, for a new session. Returns the entries that were never released. */
  restart(): readonly Entry[] {
    const left = this.#entries
    this.#entries = []
    this.#next = 1
    this.#bytes = 0
    return left
  }
}

export type ReceiveResult = 'take' | 'repeat' | 'gap'

export class Inbox {
  #received = 0

  get received(): number {
    return this.#received
  }

  /** Only on `take` the message counts as received and is to be handled. */
  receive(number: number): ReceiveResult {
    if (number <= this.#received) return 'repeat'
    if (number > this.#received + 1) return 'gap'
    this.#received = number
    return 'take'
  }

  restart(): void {
    this.#received = 0
  }
}
