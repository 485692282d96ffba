/** Gathers what is written to a stream within one turn of the loop into one write: one system call, one TLS record. */
import type { Writable } from 'node:stream'

export class TurnCork {
  readonly #stream: Writable
  #corked = false

  constructor(stream: Writable) {
    this.#stream = stream
  }

  /** Before each write. */
  gather(): void {
    if (this.#corked) return
    this.#corked = true
    this.#stream.cork()
    process.nextTick(this.#release)
  }

  readonly #release = (): void => {
    this.#corked = false
    this.#stream.uncork()
  }
}
