/** How much of a file one request brings: as much as the network carries in a few seconds, so that progress shows and little is sent twice. */

const KIB = 1024
const FIRST_BYTES = 1024 * KIB
export const MIN_PIECE_BYTES = 64 * KIB
/** 100 MB go up in pieces of these at nearly the speed of one piece. */
const MAX_BYTES = 16 * 1024 * KIB
/** In ms. */
const QUICK_MS = 4_000

export class PieceSize {
  readonly #now: () => number
  #bytes = FIRST_BYTES
  #maxBytes = MAX_BYTES

  /** @param now In ms. */
  constructor(now: () => number) {
    this.#now = now
  }

  get bytes(): number {
    return this.#bytes
  }

  /** Keeps all pieces to come this small: a larger one was refused. */
  limitTo(bytes: number): void {
    this.#maxBytes = Math.max(MIN_PIECE_BYTES, Math.floor(bytes))
    this.#bytes = Math.min(this.#bytes, this.#maxBytes)
  }

  /** Sends one piece, and learns from how long it takes. */
  async measure<Answer>(sendPiece: () => Promise<Answer>): Promise<Answer> {
    const begunAt = this.#now()
    try {
      const answer = await sendPiece()
      if (this.#now() - begunAt < QUICK_MS) this.#bytes = Math.min(this.#maxBytes, 2 * this.#bytes)
      return answer
    } catch (error) {
      this.#bytes = Math.max(MIN_PIECE_BYTES, Math.min(FIRST_BYTES, this.#bytes / 4))
      throw error
    }
  }
}
