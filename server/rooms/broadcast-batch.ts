/** What one turn of a room tells, in order: the edits in one message, and behind them what they are followed by. */

/** One message holds no more, so that a slow reader's turn is not taken up by it. */
const MAX_BYTES = 64 * 1024

interface BroadcastItem {
  readonly update: Uint8Array
}

export class BroadcastBatch<Edit extends BroadcastItem> {
  readonly #broadcast: (edits: readonly Edit[]) => void
  #edits: Edit[] = []
  #bytes = 0
  #afterEdits: (() => void)[] = []

  constructor(broadcast: (edits: readonly Edit[]) => void) {
    this.#broadcast = broadcast
  }

  add(edit: Edit): void {
    if (this.#bytes + edit.update.length > MAX_BYTES) this.flush()
    this.#edits.push(edit)
    this.#bytes += edit.update.length
  }

  /** Not a commit: who is where, how long something took. */
  runAfterEdits(run: () => void): void {
    if (this.#edits.length === 0) run()
    else this.#afterEdits.push(run)
  }

  /** At the end of the turn, and before whoever comes or catches up is told: they hear nothing twice. */
  flush(): void {
    const edits = this.#edits
    const afterEdits = this.#afterEdits
    this.#edits = []
    this.#afterEdits = []
    this.#bytes = 0
    if (edits.length > 0) this.#broadcast(edits)
    for (const run of afterEdits) run()
  }
}
