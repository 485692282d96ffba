/**
 * Limits how long a part of a document may become, and how much memory it may take (A6). Knows sizes; does not know what the bytes
 * hold.
 */
import {
  MAX_DESK_BYTES,
  MAX_DESK_MEMORY,
  MAX_DOCUMENT_BYTES,
  MAX_DOCUMENT_MEMORY,
} from '../../lib/protocol/limits.ts'
import { serverRefusalsStrings } from '../../lib/strings/server-refusals.ts'
import type { DocumentPart } from '../store/store.ts'
import type { RoomText } from './room-text.ts'
import { RoomRefusal } from './rooms.ts'
import { type MemoryCount, memoryBytesOf } from './memory-count.ts'

const MIB = 1024 * 1024
/** A text at its limit is measured again once this share of the limit was written or deleted. */
const WORTH_MEASURING = 1 / 64

/** A text that counts its memory. */
type MeasuredText = Pick<RoomText, 'bytes' | 'memoryBytes' | 'addMemory' | 'removeMemory' | 'setMeasured'>

export class SizeLimit {
  readonly #part: DocumentPart
  readonly #maxBytes: number
  readonly #maxMemory: number
  readonly #text: MeasuredText
  /** An upper bound of the encoded text's length. */
  #bytes: number
  /** How many bytes were written, and clocks deleted, since the text was measured. */
  #changed = Infinity

  constructor(part: DocumentPart, text: MeasuredText) {
    this.#part = part
    this.#text = text
    this.#bytes = text.bytes
    this.#maxBytes = part === 'desk' ? MAX_DESK_BYTES : MAX_DOCUMENT_BYTES
    this.#maxMemory = part === 'desk' ? MAX_DESK_MEMORY : MAX_DOCUMENT_MEMORY
  }

  /** Counts an edit that is about to be taken in. */
  add(count: MemoryCount): void {
    this.#text.addMemory(count)
    this.#bytes += count.bytes
    this.#changed += count.bytes + count.deleted
  }

  /** The edit was refused after it was counted. */
  remove(count: MemoryCount): void {
    this.#text.removeMemory(count)
    this.#bytes -= count.bytes
    this.#changed -= count.bytes + count.deleted
  }

  /**
   * True if the edit does not fit by the sum of all edits, which overstates a text that was typed key by key, and enough has changed
   * for a measurement to say otherwise.
   */
  isMeasureDue(count: MemoryCount): boolean {
    if (this.#changed < this.#maxBytes * WORTH_MEASURING) return false
    const fitsAlone = count.bytes <= this.#maxBytes && memoryBytesOf(count) <= this.#maxMemory
    return fitsAlone && this.#refusalOf(count) !== null
  }

  /** @param count That of the whole text. */
  setMeasured(count: MemoryCount): void {
    this.#text.setMeasured(count)
    this.#bytes = count.bytes
    this.#changed = 0
  }

  /** The text's size stays the sum of its edits, until as much has changed again. */
  setUnmeasurable(): void {
    this.#changed = 0
  }

  /** @throws {RoomRefusal} `too-large` if the edit does not fit. */
  check(count: MemoryCount): void {
    const detail = this.#refusalOf(count)
    if (detail !== null) throw new RoomRefusal({ code: 'too-large', detail })
  }

  #refusalOf(count: MemoryCount): string | null {
    const { room } = serverRefusalsStrings
    const isDesk = this.#part === 'desk'
    if (this.#bytes + count.bytes > this.#maxBytes)
      return isDesk ? room.deskFull(this.#maxBytes) : room.documentFull(this.#maxBytes)
    if (this.#text.memoryBytes + memoryBytesOf(count) <= this.#maxMemory) return null
    return (isDesk ? room.deskHeavy : room.documentHeavy)(this.#maxMemory / MIB)
  }
}
