/** Measures the bytes of frames from one edit to the next, where they follow each other so closely that little else is among them. */

const MAX_GAP_MS = 1_000
/** The same number of edits as in the other figures. */
const MAX_SAMPLES = 200

export interface TrafficBytes {
  readonly up: number
  readonly down: number
}

export class BytesPerKey {
  /** The link that all samples went by. */
  #link: string | undefined
  #lastEdit: { readonly at: number; readonly bytes: TrafficBytes } | null = null
  #deltas: TrafficBytes[] = []

  /** @param link Another link has costs of its own; without a link nothing is sent. */
  recordEdit(at: number, bytes: TrafficBytes, link: string | undefined): void {
    if (link !== this.#link) this.reset()
    this.#link = link
    if (link === undefined) return
    const last = this.#lastEdit
    this.#lastEdit = { at, bytes }
    if (!last || at - last.at > MAX_GAP_MS) return
    const delta = { up: bytes.up - last.bytes.up, down: bytes.down - last.bytes.down }
    this.#deltas = [...this.#deltas, delta].slice(-MAX_SAMPLES)
  }

  /**
   * The mean: a sum of bytes has no percentiles worth reading. Undefined before two edits came close together.
   * @param link The link in use; without one, the last.
   */
  mean(link = this.#link): TrafficBytes | undefined {
    const { length } = this.#deltas
    if (length === 0 || link !== this.#link) return undefined
    const sum = (of: keyof TrafficBytes): number =>
      this.#deltas.reduce((total, bytes) => total + bytes[of], 0)
    return { up: sum('up') / length, down: sum('down') / length }
  }

  reset(): void {
    this.#lastEdit = null
    this.#deltas = []
  }
}
