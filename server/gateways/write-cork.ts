/** Gathers what is written to a stream within one turn of the loop into one write: one system call, one TLS record. */
import type { Writable } from 'node:stream'

/** What is to end with this turn. One tick for all: in a busy room hundreds of streams are written to in one turn. */
let endOfTurnCallbacks: (() => void)[] = []

function runEndOfTurnCallbacks(): void {
  const all = endOfTurnCallbacks
  endOfTurnCallbacks = []
  for (const end of all) end()
}

function onTurnEnd(end: () => void): void {
  if (endOfTurnCallbacks.push(end) === 1) process.nextTick(runEndOfTurnCallbacks)
}

export class TurnCork {
  readonly #stream: Writable
  #corked = false

  constructor(stream: Writable) {
    this.#stream = stream
  }

  /** Before each write. */
  beforeWrite(): void {
    if (this.#corked) return
    this.#corked = true
    this.#stream.cork()
    onTurnEnd(this.#uncork)
  }

  readonly #uncork = (): void => {
    this.#corked = false
    this.#stream.uncork()
  }
}

let turn = 0
let isTurnEndScheduled = false

function currentTurn(): number {
  if (!isTurnEndScheduled) {
    isTurnEndScheduled = true
    process.nextTick(() => {
      isTurnEndScheduled = false
      turn += 1
    })
  }
  return turn
}

/** A frame as large is one of several. */
const LARGE_BYTES = 4 * 1024

/** The first write of a turn goes out at once, since nearly always it is the only one; what comes behind it is gathered. */
export class AfterFirstWriteCork {
  readonly #cork: TurnCork
  #lastWriteTurn = -1

  constructor(stream: Writable) {
    this.#cork = new TurnCork(stream)
  }

  /** Before each write. */
  beforeWrite(bytes: number): void {
    const now = currentTurn()
    if (this.#lastWriteTurn === now || bytes > LARGE_BYTES) this.#cork.beforeWrite()
    this.#lastWriteTurn = now
  }
}
