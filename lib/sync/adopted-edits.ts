/**
 * Counts the edits of a channel that neighbours made and this window took over, since those are gone or do not get through. Knows numbers
 * alone.
 */

interface AdoptedBatch {
  readonly edits: number
  /** The number of the batch's last edit among the edits of the channel. */
  readonly upTo: number
  /** Edits of a window that is gone that were not on this device yet: they live as long as the windows that show them. */
  readonly unstored: number
}

export class AdoptedEdits {
  /** All edits ever taken over. */
  edits = 0
  #batches: AdoptedBatch[] = []

  add(batch: AdoptedBatch): void {
    this.edits += batch.edits
    this.#batches.push(batch)
  }

  /** @param saved How many edits of the channel are saved; they are the first ones. */
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
