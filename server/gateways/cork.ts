/** Gathers what is written to a stream within one turn of the loop into one write: one system call, one TLS record. */
import type { Writable } from 'node:stream'

/** What is to end with this turn. One tick for all: in a busy room hundreds of streams are written to in one turn. */
let ending: (() => void)[] = []

function endTurn(): void {
  const all = ending
  ending = []
  for (const end of all) end()
}

function atTurnsEnd(end: () => void): void {
  if (ending.push(end) === 1) process.nextTick(endTurn)
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
    atTurnsEnd(this.#release)
  }

  readonly #release = (): void => {
    this.#corked = false
    this.#stream.uncork()
  }
}

let turn = 0
let turnEnds = false

function thisTurn(): number {
  if (!turnEnds) {
    turnEnds = true
    process.nextTick(() => {
      turnEnds = false
      turn += 1
    })
  }
  return turn
}

/** A frame as large is one of several. */
const LARGE_BYTES = 4 * 1024

/** The first write of a turn goes out at once, since nearly always it is the only one; what comes behind it is gathered. */
export class LateCork {
  readonly #cork: TurnCork
  #writtenIn = -1

  constructor(stream: Writable) {
    this.#cork = new TurnCork(stream)
  }

  /** Before each write. */
  gather(bytes: number): void {
    const now = thisTurn()
    if (this.#writtenIn === now || bytes > LARGE_BYTES) this.#cork.gather()
    this.#writtenIn = now
  }
}
