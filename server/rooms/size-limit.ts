/** Limits how long a part of a document may become (A6). Knows lengths; does not know what the bytes hold. */
import { MAX_DESK_BYTES, MAX_DOCUMENT_BYTES } from '../../lib/protocol/limits.ts'
import { strings } from '../../lib/strings/server-refusals.ts'
import type { DocumentPart } from '../store/store.ts'
import { RoomRefusal } from './rooms.ts'

/** A text at its limit is measured whole, but at most this often. */
const MIN_MEASURE_INTERVAL_MS = 10_000

export class SizeLimit {
  readonly #part: DocumentPart
  readonly #measure: () => number
  /** An upper bound of the encoded text's length. */
  #bytes: number
  #measuredAt = -Infinity

  /** @param bytes How long the text is, or a little less. @param measure Encodes the text, and returns its length. */
  constructor(part: DocumentPart, bytes: number, measure: () => number) {
    this.#part = part
    this.#bytes = bytes
    this.#measure = measure
  }

  /** @param bytes Negative for an edit that was refused after it was counted. */
  add(bytes: number): void {
    this.#bytes += bytes
  }

  /**
   * The sum of all edits overstates a text that was typed key by key, so it is measured before anything is refused.
   * @throws {RoomRefusal} `too-large` if so many more bytes do not fit.
   */
  check(bytes: number): void {
    const limit = this.#part === 'desk' ? MAX_DESK_BYTES : MAX_DOCUMENT_BYTES
    if (this.#bytes + bytes > limit && performance.now() - this.#measuredAt > MIN_MEASURE_INTERVAL_MS) {
      this.#bytes = this.#measure()
      this.#measuredAt = performance.now()
    }
    if (this.#bytes + bytes <= limit) return
    const detail = this.#part === 'desk' ? strings.room.deskFull(limit) : strings.room.documentFull(limit)
    throw new RoomRefusal({ code: 'too-large', detail })
  }
}
