/** Counts what a writer makes, so that a hostile text cannot make it endless. */

/** In UTF-16 units: more than twice what the longest text there may be takes. */
const MAX_UNITS = 64 * 1024 * 1024
/** Pictures within a page or a file, in bytes. Those beyond are named by their address. */
export const MAX_EMBEDDED_BYTES = 32 * 1024 * 1024

export class ExportTooLarge extends Error {
  override readonly name = 'ExportTooLarge'

  constructor() {
    super('The document is too large for this format')
  }
}

export class OutputCount {
  readonly #limit: number
  #units = 0

  constructor(limit = MAX_UNITS) {
    this.#limit = limit
  }

  /** Counts a piece and returns it. @throws {ExportTooLarge} */
  add(piece: string): string {
    this.#units += piece.length
    if (this.#units > this.#limit) throw new ExportTooLarge()
    return piece
  }
}
