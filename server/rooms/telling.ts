/** What one turn of a room tells, in order: the edits in one message, and behind them what they are followed by. */

/** One message holds no more, so that a slow reader's turn is not taken up by it. */
const MAX_BYTES = 64 * 1024

interface Weighed {
  readonly update: Uint8Array
}

export class Telling<Edit extends Weighed> {
  readonly #tell: (edits: readonly Edit[]) => void
  #edits: Edit[] = []
  #bytes = 0
  #behind: (() => void)[] = []

  constructor(tell: (edits: readonly Edit[]) => void) {
    this.#tell = tell
  }

  add(edit: Edit): void {
    if (this.#bytes + edit.update.length > MAX_BYTES) this.now()
    this.#edits.push(edit)
    this.#bytes += edit.update.length
  }

  /** Not a commit: who is where, how long something took. */
  behind(run: () => void): void {
    if (this.#edits.length === 0) run()
    else this.#behind.push(run)
  }

  /** At the end of the turn, and before whoever comes or catches up is told: they hear nothing twice. */
  now(): void {
    const edits = this.#edits
    const behind = this.#behind
    this.#edits = []
    this.#behind = []
    this.#bytes = 0
    if (edits.length > 0) this.#tell(edits)
    for (const run of behind) run()
  }
}
