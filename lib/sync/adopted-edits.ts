/** Which edits of a channel neighbours made: taken over, since these are gone or do not get through. Knows numbers alone. */

interface AdoptedBatch {
  readonly edits: number
  /** The number of the last of them among the edits of the channel. */
  readonly upTo: number
  /** Of windows that are gone, what was not on this device yet: it lives as long as those that show it. */
  readonly unstored: number
}

export class AdoptedEdits {
  /** Ever. */
  edits = 0
  #batches: AdoptedBatch[] = []

  add(batch: AdoptedBatch): void {
    this.edits += batch.edits
    this.#batches.push(batch)
  }

  /** @param saved The first so many edits of the channel are saved. */
  unsaved(saved: number): number {
    return this.#sum(saved, ({ edits, upTo }) => Math.min(edits, upTo - saved))
  }

  unstored(saved: number): number {
    return this.#sum(saved, ({ unstored }) => unstored)
  }

  #sum(saved: number, countOf: (batch: AdoptedBatch) => number): number {
    this.#batches = this.#batches.filter(({ upTo }) => upTo > saved)
    return this.#batches.reduce((sum, batch) => sum + countOf(batch), 0)
  }
}
