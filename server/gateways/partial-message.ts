/**
 * The size of a message that came only in part, with what each of its pieces costs. A ping or pong may come between two pieces, but is
 * no part of the message. Knows lengths; does not know the bytes.
 */
import { MESSAGE_COST_BYTES } from './waiting-items.ts'

/** The header of a client's ping or pong. */
const CONTROL_HEADER_BYTES = 6

export class PartialMessage {
  #bytes = 0
  /** The cost of the latest piece; 0 when a ping or pong in it took that back. */
  #pieceOverhead = 0

  get bytes(): number {
    return this.#bytes
  }

  /** Called for each piece that arrives, before anybody knows what is in it. */
  addPiece(length: number): void {
    this.#pieceOverhead = MESSAGE_COST_BYTES
    this.#bytes += length + MESSAGE_COST_BYTES
  }

  /** The latest piece had a ping or pong in it. @param length Of its payload. */
  subtractControl(length: number): void {
    this.#bytes = Math.max(0, this.#bytes - length - CONTROL_HEADER_BYTES - this.#pieceOverhead)
    this.#pieceOverhead = 0
  }

  /** The message is whole. */
  end(): void {
    this.#bytes = 0
  }
}
