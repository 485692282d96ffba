/**
 * A long update, packed: its length as a varint, then its bytes deflated (RFC 1951). A paper's snapshot of 311 KB takes 118.
 */
import { inflate } from '#inflate'
import { refusalsStrings } from '../strings/refusals.ts'
import { MAX_DOCUMENT_BYTES } from './limits.ts'
import { createDecoder, numberLength, ProtocolError, writeNumberAt, readNumber } from './wire.ts'

/** @param deflated The update, deflated by deflateRaw or an equivalent. */
export function encodePackedUpdate(update: Uint8Array, deflated: Uint8Array): Uint8Array {
  const head = numberLength(update.length)
  const bytes = new Uint8Array(head + deflated.length)
  writeNumberAt(bytes, 0, update.length)
  bytes.set(deflated, head)
  return bytes
}

/** @throws {ProtocolError} `bad-message` for bytes that are no packed update. */
export function decodePackedUpdate(bytes: Uint8Array): Uint8Array {
  const decoder = createDecoder(bytes)
  const length = readNumber(decoder)
  if (length > MAX_DOCUMENT_BYTES)
    throw new ProtocolError('bad-message', refusalsStrings.malformed.longUnpacked(length, MAX_DOCUMENT_BYTES))
  const update = inflateUpTo(bytes.subarray(decoder.pos), length)
  if (update?.length === length) return update
  throw new ProtocolError('bad-message', refusalsStrings.malformed.unpacked(length))
}

function inflateUpTo(deflated: Uint8Array, length: number): Uint8Array | null {
  try {
    return inflate(deflated, length + 1) // One more byte shows whether the update is too long.
  } catch {
    return null
  }
}
