/**
 * Frames in a stream of bytes, which may be cut anywhere (T2):
 *
 *   frame  = length (varint, little end first, 7 bits a byte) · bytes
 */
import { MAX_FRAME_BYTES } from './limits.ts'
import { ProtocolError } from './wire.ts'

/** Enough for 2²⁸ - 1; a longer length is rubbish, whatever the limit. */
const MAX_LENGTH_BYTES = 4

const lengthBytes = (length: number): number =>
  length < 0x80 ? 1 : length < 0x4000 ? 2 : length < 0x20_0000 ? 3 : 4

export const framedBytes = (frame: Uint8Array): number => lengthBytes(frame.byteLength) + frame.byteLength

/** `head` first, then each frame behind its length: one allocation, one copy. */
export function encodeFrames(frames: readonly Uint8Array[], head?: Uint8Array): Uint8Array<ArrayBuffer> {
  const total = frames.reduce((sum, frame) => sum + framedBytes(frame), head?.byteLength ?? 0)
  const out = new Uint8Array(total)
  if (head) out.set(head)
  let at = head?.byteLength ?? 0
  for (const frame of frames) at = putFrame(out, at, frame)
  return out
}

function putFrame(out: Uint8Array, start: number, frame: Uint8Array): number {
  let at = start
  let rest = frame.byteLength
  for (; rest >= 0x80; rest >>>= 7) out[at++] = (rest & 0x7f) | 0x80
  out[at++] = rest
  out.set(frame, at)
  return at + frame.byteLength
}

/** Takes chunks as they come and gives whole frames, as views where a frame lies within one chunk. */
export class FrameDecoder {
  readonly #onFrame: (frame: Uint8Array<ArrayBuffer>) => void
  readonly #limit: number
  #length = 0
  #lengthBytes = 0
  #part: Uint8Array<ArrayBuffer> | undefined
  #filled = 0

  constructor(onFrame: (frame: Uint8Array<ArrayBuffer>) => void, limit = MAX_FRAME_BYTES) {
    this.#onFrame = onFrame
    this.#limit = limit
  }

  /** Whether the bytes so far end within a frame. */
  get midFrame(): boolean {
    return this.#lengthBytes > 0 || this.#part !== undefined
  }

  /** @throws {ProtocolError} `too-large` or `bad-frame`; the decoder is of no use after it. */
  push(chunk: Uint8Array<ArrayBuffer>): void {
    let at = 0
    while (at < chunk.byteLength) {
      at = this.#part ? this.#fill(this.#part, chunk, at) : this.#readLength(chunk, at)
    }
  }

  #readLength(chunk: Uint8Array<ArrayBuffer>, at: number): number {
    const byte = chunk[at]!
    this.#length |= (byte & 0x7f) << (7 * this.#lengthBytes++)
    if (byte < 0x80) return this.#begin(chunk, at + 1)
    if (this.#lengthBytes < MAX_LENGTH_BYTES) return at + 1
    throw new ProtocolError('bad-frame', `A frame's length takes more than ${MAX_LENGTH_BYTES} bytes.`)
  }

  #begin(chunk: Uint8Array<ArrayBuffer>, at: number): number {
    const length = this.#length
    if (length > this.#limit) {
      const detail = `A frame of ${length} bytes is over the limit of ${this.#limit} bytes (MAX_FRAME_BYTES).`
      throw new ProtocolError('too-large', detail)
    }
    this.#length = this.#lengthBytes = 0
    if (length > chunk.byteLength - at) {
      this.#part = new Uint8Array(length)
      return at
    }
    this.#onFrame(new Uint8Array(chunk.buffer, chunk.byteOffset + at, length))
    return at + length
  }

  #fill(part: Uint8Array<ArrayBuffer>, chunk: Uint8Array<ArrayBuffer>, at: number): number {
    const end = Math.min(chunk.byteLength, at + part.byteLength - this.#filled)
    part.set(chunk.subarray(at, end), this.#filled)
    this.#filled += end - at
    if (this.#filled < part.byteLength) return end
    this.#part = undefined
    this.#filled = 0
    this.#onFrame(part)
    return end
  }
}
