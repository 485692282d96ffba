/** Gathers what is written to a stream within one turn of the loop into one write: one system call, one TLS record. */
import type { Writable } from 'node:stream'

/** Of this turn. */
let corked: TurnCork[] = []

/** One for all: in a busy room hundreds of streams are written to in one turn. */
function releaseAll(): void {
  const all = corked
  corked = []
  for (const cork of all) cork.release()
}

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
    if (corked.push(this) === 1) process.nextTick(releaseAll)
  }

  release(): void {
    this.#corked = false
    this.#stream.uncork()
  }
}
