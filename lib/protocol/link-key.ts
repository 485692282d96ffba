/**
 * How an HTTP request names the link it belongs to (S10): in its body, never in a URL.
 *
 *   head = id (text of at most 100 bytes) · secret (16 bytes)
 *
 * The id names its node before the first dot, so that another node can hand the request over. The id alone opens nothing.
 */
import { refusalsStrings } from '../strings/refusals.ts'
import { fromBase64, toBase64 } from './base64.ts'
import type { Bytes } from './wire.ts'
import { createDecoder, createEncoder, ProtocolError, readString, toBytes, writeString } from './wire.ts'

export const SECRET_BYTES = 16
/** Below 128, so that the length takes one byte. */
const MAX_ID_BYTES = 100

export interface LinkKey {
  readonly id: string
  /** 128 random bits. */
  readonly secret: Bytes
}

export const nodeOf = (id: string): string => id.split('.', 1)[0] ?? ''

/** @throws {RangeError} for an id that none of our servers issues. */
export function encodeLinkHead({ id, secret }: LinkKey): Bytes {
  const encoder = createEncoder()
  writeString(encoder, id)
  const text = toBytes(encoder)
  if (text.length > 1 + MAX_ID_BYTES) throw new RangeError(`A link's id of ${text.length - 1} bytes.`)
  const head = new Uint8Array(text.length + SECRET_BYTES)
  head.set(text)
  head.set(secret, text.length)
  return head
}

/** Reads the chunks of one body until the head is whole. */
export class LinkHeadReader {
  readonly #bytes = new Uint8Array(1 + MAX_ID_BYTES + SECRET_BYTES)
  #filled = 0

  /** Returns null while bytes are missing. `rest` is what follows the head. @throws {ProtocolError} for an invalid head. */
  push(chunk: Bytes): { readonly key: LinkKey; readonly rest: Bytes } | null {
    const before = this.#filled
    const headPart = chunk.subarray(0, this.#bytes.length - before)
    this.#bytes.set(headPart, before)
    this.#filled += headPart.length
    if (this.#filled === 0) return null
    const idBytes = this.#bytes[0]!
    if (idBytes > MAX_ID_BYTES)
      throw new ProtocolError('bad-frame', refusalsStrings.malformed.linkId(MAX_ID_BYTES))
    const whole = 1 + idBytes + SECRET_BYTES
    if (this.#filled < whole) return null
    const id = readString(createDecoder(this.#bytes.subarray(0, 1 + idBytes)))
    return {
      key: { id, secret: this.#bytes.slice(1 + idBytes, whole) },
      rest: chunk.subarray(whole - before),
    }
  }
}

export const linkKeyFields = ({ id, secret }: LinkKey) => ({ id, secret: toBase64(secret) })

/** Returns null for anything but a link key. */
export function readLinkKeyFields({ id, secret }: Record<string, unknown>): LinkKey | null {
  if (typeof id !== 'string' || typeof secret !== 'string') return null
  if (!/^[\w.-]{1,100}$/.test(id) || !/^[\w+/]{22}==$/.test(secret)) return null
  return { id, secret: fromBase64(secret) }
}
