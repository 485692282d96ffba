/** The primitives of every message: lib0's varints, with the bounds that lib0 leaves to its caller. */
import * as decoding from 'lib0/decoding'
import * as encoding from 'lib0/encoding'
import { refusalsStrings } from '../strings/refusals.ts'
import type { CloseCode, CloseReason } from './close.ts'
import { MAX_STRING_BYTES } from './limits.ts'

export type Encoder = encoding.Encoder
export type Decoder = decoding.Decoder
export type Bytes = Uint8Array<ArrayBuffer>

/** Bad input from the other side; its reason closes the link. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError'
  readonly reason: CloseReason

  constructor(code: CloseCode, detail: string, cause?: unknown) {
    super(detail, { cause })
    this.reason = { code, detail }
  }
}

export const writeNumber = encoding.writeVarUint

/** Checks the number: lib0 reads numbers over the safe integers, and NaN after enough zeros before the end. */
export function readNumber(decoder: Decoder): number {
  let value: number
  try {
    value = decoding.readVarUint(decoder)
  } catch (error) {
    throw new ProtocolError('bad-frame', refusalsStrings.malformed.endlessNumber, error)
  }
  if (!Number.isSafeInteger(value))
    throw new ProtocolError('bad-frame', refusalsStrings.malformed.number(value))
  return value
}

/** The number of bytes that `writeNumber` writes. */
export function numberLength(value: number): number {
  let length = 1
  for (let rest = value; rest >= 128; rest = Math.floor(rest / 128)) length += 1
  return length
}

/** Writes a number like `writeNumber`, but into existing bytes. Returns where it ends. */
export function writeNumberAt(target: Uint8Array, offset: number, value: number): number {
  let at = offset
  let rest = value
  for (; rest >= 128; rest = Math.floor(rest / 128)) target[at++] = (rest % 128) | 128
  target[at++] = rest
  return at
}

export const writeBytes = encoding.writeVarUint8Array

/** Returns a view, not a copy. A false length must not reach beyond the frame: Node's pool shares memory with strangers. */
export function readBytes(decoder: Decoder): Bytes {
  const length = readNumber(decoder)
  const start = decoder.pos
  if (length > decoder.arr.length - start) {
    throw new ProtocolError('bad-frame', refusalsStrings.malformed.length(length, decoder.arr.length - start))
  }
  decoder.pos += length
  return decoder.arr.subarray(start, start + length) as Bytes
}

/** A byte order mark is text like any other: without `ignoreBOM` a leading one is swallowed. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

export const writeString = encoding.writeVarString

export function readString(decoder: Decoder, limit = MAX_STRING_BYTES): string {
  const bytes = readBytes(decoder)
  if (bytes.length > limit) {
    throw new ProtocolError('bad-message', refusalsStrings.malformed.longText(bytes.length, limit))
  }
  try {
    return utf8.decode(bytes)
  } catch (error) {
    throw new ProtocolError('bad-frame', refusalsStrings.malformed.notUtf8, error)
  }
}

export const writeFlag = (encoder: Encoder, flag: boolean): void => encoding.writeUint8(encoder, flag ? 1 : 0)

export function readFlag(decoder: Decoder): boolean {
  const value = readNumber(decoder)
  if (value > 1) throw new ProtocolError('bad-frame', refusalsStrings.malformed.flag(value))
  return value === 1
}

export const hasMoreBytes = decoding.hasContent
export const createEncoder = encoding.createEncoder
export const toBytes = (encoder: Encoder): Bytes => encoding.toUint8Array(encoder)
/** Most messages are a few bytes, and a new encoder for each would cost more than the message. */
const SCRATCH_BYTES = 1024
let scratch: Encoder | null = null

/** Returns what `write` writes, by an encoder that is used again if it did not grow. */
export function encodeWith(write: (encoder: Encoder) => void): Bytes {
  const encoder = scratch ?? createScratch()
  scratch = null // A nested call takes another encoder.
  write(encoder)
  const bytes = toBytes(encoder)
  if (encoder.bufs.length > 0) return bytes
  encoder.cpos = 0
  scratch = encoder
  return bytes
}

function createScratch(): Encoder {
  const encoder = createEncoder()
  encoder.cbuf = new Uint8Array(SCRATCH_BYTES)
  return encoder
}

export const createDecoder = decoding.createDecoder
