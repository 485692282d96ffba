/** Bytes of frames from one edit to the next, where they follow each other closely enough that little else is among them. */

const CLOSE_MS = 1_000
/** As many as the other figures count. */
const LATEST = 200

export interface Bytes {
  readonly up: number
  readonly down: number
}

export class PerKey {
  /** Of the link that all of them went by. */
  #link: string | undefined
  #last: { readonly at: number; readonly bytes: Bytes } | null = null
  #between: Bytes[] = []

  /** @param link Another one has costs of its own; without one nothing goes. */
  made(at: number, bytes: Bytes, link: string | undefined): void {
    if (link !== this.#link) this.reset()
    this.#link = link
    if (link === undefined) return
    const last = this.#last
    this.#last = { at, bytes }
    if (!last || at - last.at > CLOSE_MS) return
    const between = { up: bytes.up - last.bytes.up, down: bytes.down - last.bytes.down }
    this.#between = [...this.#between, between].slice(-LATEST)
  }

  /**
   * The mean: a sum of bytes has no percentiles worth reading. Undefined before two edits came close together.
   * @param link In use; without one the last.
   */
  mean(link = this.#link): Bytes | undefined {
    const { length } = this.#between
    if (length === 0 || link !== this.#link) return undefined
    const sum = (of: keyof Bytes): number => this.#between.reduce((total, bytes) => total + bytes[of], 0)
    return { up: sum('up') / length, down: sum('down') / length }
  }

  reset(): void {
    this.#last = null
    this.#between = []
  }
}
