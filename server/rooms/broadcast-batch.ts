/** What a room broadcasts after one commit, in order: the edits in one message, then the callbacks that have to follow them. */

/** One message holds no more, so that it does not hold up a slow reader for long. */
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

  /** Runs the callback behind the pending edits: for presence and traces, which are not committed. */
  runAfterEdits(run: () => void): void {
    if (this.#edits.length === 0) run()
    else this.#afterEdits.push(run)
  }

  /** Called after a commit, and before a state or missed edits are sent to a member, which would otherwise get edits twice. */
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
