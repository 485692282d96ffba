/**
 * Keeps small updates in one growing buffer: a room keeps them all its life, and an array for each would cost several times their
 * bytes.
 */
const FIRST_BYTES = 1024

export class LogTail {
  #bytes = new Uint8Array(0)
  /** Where each update ends. */
  #ends: number[] = []

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

  add(update: Uint8Array): void {
    const end = this.bytes + update.length
    if (end > this.#bytes.length) this.#grow(end)
    this.#bytes.set(update, this.bytes)
    this.#ends.push(end)
  }

  /** Drops the first `count` updates. */
  drop(count: number): void {
    const from = this.#ends[count - 1] ?? 0
    this.#bytes = this.#bytes.slice(from, this.bytes)
    this.#ends = this.#ends.slice(count).map((end) => end - from)
  }

  #grow(bytes: number): void {
    const before = this.#bytes
    this.#bytes = new Uint8Array(Math.max(FIRST_BYTES, bytes, 2 * before.length))
    this.#bytes.set(before)
  }
}
