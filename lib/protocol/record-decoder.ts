/** Reads records (records.ts). A page loads it with the first transport that reads a stream. */
import { refusalsStrings } from '../strings/refusals.ts'
import { readReasonFields } from './close-reason-json.ts'
import { MAX_FRAME_BYTES } from './limits.ts'
import { readLinkKeyFields } from './link-key.ts'
import type { ControlRecord } from './records.ts'
import { parseObject } from './value-reader.ts'
import { type Bytes, ProtocolError } from './wire.ts'

/** Four bytes hold up to 2²⁸ - 1; a longer length is invalid, whatever the limit. */
const MAX_HEAD_BYTES = 4

/** Room for 6 bytes of JSON for each character of the longest detail, and some more. */
const MAX_CONTROL_BYTES = 8 * 1024

export interface RecordSink {
  onFrame(frame: Bytes): void
  onControl(control: ControlRecord): void
}

/** The first buffer for a record. Its announced length is not trusted: the buffer grows as its bytes come. */
const FIRST_BUFFER_BYTES = 4 * 1024

/** Takes chunks as they come, and delivers whole records. A frame within one chunk is a view. */
export class RecordDecoder {
  readonly #sink: RecordSink
  readonly #limit: number
  #head = 0
  #headBytes = 0
  #expected: { readonly length: number; readonly control: boolean } | undefined
  #partial = new Uint8Array()
  #filled = 0

  constructor(sink: RecordSink, limit = MAX_FRAME_BYTES) {
    this.#sink = sink
    this.#limit = limit
  }

  /** Whether the bytes so far end within a record. */
  get isMidRecord(): boolean {
    return this.#headBytes > 0 || this.#expected !== undefined
  }

  /** @throws {ProtocolError} `too-large` or `bad-frame`; the decoder cannot be used after it. */
  push(chunk: Bytes): void {
    let at = 0
    while (at < chunk.byteLength)
      at = this.#expected ? this.#fillRecord(chunk, at) : this.#readHead(chunk, at)
  }

  #readHead(chunk: Bytes, at: number): number {
    const byte = chunk[at]!
    this.#head |= (byte & 0x7f) << (7 * this.#headBytes++)
    if (byte < 0x80) return this.#beginRecord(chunk, at + 1)
    if (this.#headBytes < MAX_HEAD_BYTES) return at + 1
    throw new ProtocolError('bad-frame', refusalsStrings.malformed.recordLength(MAX_HEAD_BYTES))
  }

  #beginRecord(chunk: Bytes, at: number): number {
    const expected = { length: this.#head >>> 1, control: (this.#head & 1) === 1 }
    this.#head = this.#headBytes = 0
    this.#checkLength(expected)
    if (expected.length > chunk.byteLength - at) {
      this.#expected = expected
      return at
    }
    this.#emit(new Uint8Array(chunk.buffer, chunk.byteOffset + at, expected.length), expected.control)
    return at + expected.length
  }

  #checkLength({ length, control }: { length: number; control: boolean }): void {
    const limit = control ? MAX_CONTROL_BYTES : this.#limit
    if (length <= limit) return
    const { longControl, longFrame } = refusalsStrings.malformed
    throw new ProtocolError('too-large', (control ? longControl : longFrame)(length, limit))
  }

  #fillRecord(chunk: Bytes, at: number): number {
    const { length, control } = this.#expected!
    const end = Math.min(chunk.byteLength, at + length - this.#filled)
    this.#growBuffer(this.#filled + end - at, length)
    this.#partial.set(chunk.subarray(at, end), this.#filled)
    this.#filled += end - at
    if (this.#filled < length) return end
    const whole = this.#partial
    this.#expected = undefined
    this.#partial = new Uint8Array()
    this.#filled = 0
    this.#emit(whole, control)
    return end
  }

  /** Grows the buffer to at most `length`, so that a full buffer is a whole record. */
  #growBuffer(needed: number, length: number): void {
    if (needed <= this.#partial.length) return
    const room = Math.min(length, Math.max(needed, 2 * this.#partial.length, FIRST_BUFFER_BYTES))
    const grown = new Uint8Array(room)
    grown.set(this.#partial.subarray(0, this.#filled))
    this.#partial = grown
  }

  #emit(bytes: Bytes, control: boolean): void {
    if (!control) return this.#sink.onFrame(bytes)
    const read = readControl(bytes)
    if (read) this.#sink.onControl(read)
  }
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

function readControl(bytes: Uint8Array): ControlRecord | null {
  const { type, ...fields } = parseObject(decoder.decode(bytes))
  if (type === 'up') return { type }
  if (type === 'close') return { type, reason: readReasonFields(fields) }
  if (type !== 'link') return null
  const key = readLinkKeyFields(fields)
  if (!key) throw new ProtocolError('bad-frame', refusalsStrings.malformed.linkWithoutKey)
  return { type, key }
}
