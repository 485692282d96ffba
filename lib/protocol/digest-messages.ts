/** Whether both ends hold the same text (D7). Neither message carries a number: a lost one is sent again. */
import { refusalsStrings } from '../strings/refusals.ts'
import type { Decoder, Encoder } from './wire.ts'
import { ProtocolError, readBytes, readFlag, readNumber, writeBytes, writeFlag, writeNumber } from './wire.ts'

/** The length of a SHA-256. */
export const DIGEST_BYTES = 32

/** Client, at rest: the digest of its text (`digestOf`). The server answers only if nothing is on its way to the client. */
export interface DigestMessage {
  readonly type: 'digest'
  readonly channel: number
  readonly digest: Uint8Array
}

/** Server: whether it holds the same text. */
export interface ComparedMessage {
  readonly type: 'compared'
  readonly channel: number
  readonly same: boolean
}

export function writeDigest(encoder: Encoder, { channel, digest }: DigestMessage): void {
  writeNumber(encoder, channel)
  writeBytes(encoder, digest)
}

export function readDigest(decoder: Decoder): DigestMessage {
  const channel = readNumber(decoder)
  const digest = readBytes(decoder)
  if (digest.length !== DIGEST_BYTES)
    throw new ProtocolError('bad-message', refusalsStrings.malformed.digest(digest.length, DIGEST_BYTES))
  return { type: 'digest', channel, digest }
}

export function writeCompared(encoder: Encoder, { channel, same }: ComparedMessage): void {
  writeNumber(encoder, channel)
  writeFlag(encoder, same)
}

export const readCompared = (decoder: Decoder): ComparedMessage => ({
  type: 'compared',
  channel: readNumber(decoder),
  same: readFlag(decoder),
})
