/** What Yjs and the editor's binding use of `lib0/buffer`. The original names Node's `Buffer`, for which the bundler adds a copy of it. */
import { encode, writeAny } from 'lib0/encoding'

export const copyUint8Array = (bytes: Uint8Array): Uint8Array => bytes.slice()

export const encodeAny = (data: unknown): Uint8Array =>
  encode((encoder) => writeAny(encoder, data as Parameters<typeof writeAny>[1]))

export const toBase64 = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
