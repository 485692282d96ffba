/**
 * Keeps small updates in one growing buffer: a room keeps them all its life, and an array for each would cost several times their
 * bytes.
 */
const FIRST_BYTES = 1024

export class LogTail {
  #bytes = new Uint8Array(0)
  /** Where each update ends. */
  #ends: number[] = []
  /** Where each stands in the log; another node's entry may come after later ones of this node. */
  #sequences: number[] = []

  get count(): number {
    return this.#ends.length
  }

  get bytes(): number {
    return this.#ends.at(-1) ?? 0
  }

  /** Views of the buffer, which later calls of `add` do not change. */
  get updates(): Uint8Array[] {
    return this.#ends.map((end, index) => this.#bytes.subarray(this.#ends[index - 1] ?? 0, end))
  }

  add(update: Uint8Array, sequence: number): void {
    const end = this.bytes + update.length
    if (end > this.#bytes.length) this.#grow(end)
    this.#bytes.set(update, this.bytes)
    this.#ends.push(end)
    this.#sequences.push(sequence)
  }

  /** Drops the updates up to this sequence number. */
  dropThrough(sequence: number): void {
    const kept = this.updates.flatMap((update, index) =>
      this.#sequences[index]! > sequence ? { update, sequence: this.#sequences[index]! } : [],
    )
    this.#bytes = new Uint8Array(kept.reduce((sum, { update }) => sum + update.length, 0))
    this.#ends = []
    this.#sequences = []
    for (const { update, sequence } of kept) this.add(update, sequence)
  }

  #grow(bytes: number): void {
    const before = this.#bytes
    this.#bytes = new Uint8Array(Math.max(FIRST_BYTES, bytes, 2 * before.length))
    this.#bytes.set(before)
  }
}
