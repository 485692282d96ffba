/** Collects what is written to a stream within one turn of the event loop into one write: one system call, one TLS record. */
import type { Writable } from 'node:stream'

/** Called when this turn ends. One tick serves all, since a busy room writes to hundreds of streams in one turn. */
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

  /** Called before each write. */
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

/** A frame this large is usually one of several. */
const LARGE_BYTES = 4 * 1024

/** Sends the first write of a turn at once, since usually it is the only one, and collects the later ones. */
export class AfterFirstWriteCork {
  readonly #cork: TurnCork
  #lastWriteTurn = -1

  constructor(stream: Writable) {
    this.#cork = new TurnCork(stream)
  }

  /** Called before each write. */
  beforeWrite(bytes: number): void {
    const now = currentTurn()
    if (this.#lastWriteTurn === now || bytes > LARGE_BYTES) this.#cork.beforeWrite()
    this.#lastWriteTurn = now
  }
}
