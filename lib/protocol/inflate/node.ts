import { inflateRawSync } from 'node:zlib'

/** Inflates (RFC 1951) up to `most` bytes. @throws {Error} for more. */
export function inflate(deflated: Uint8Array, most: number): Uint8Array {
  const { buffer, byteOffset, byteLength } = inflateRawSync(deflated, { maxOutputLength: most })
  return new Uint8Array(buffer, byteOffset, byteLength)
}
