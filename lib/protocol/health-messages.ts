/**
 * Whether both ends hold the same text (D7), and whether the store takes what is written (D3). None of it carries a number:
 * what is lost is asked or said again.
 */
import { strings } from '../strings/refusals.ts'
import type { Decoder, Encoder } from './wire.ts'
import { ProtocolError, readBytes, readFlag, readNumber, writeBytes, writeFlag, writeNumber } from './wire.ts'

/** SHA-256. */
export const DIGEST_BYTES = 32

/** Client, at rest: what it holds (`digestOf`). Answered only where nothing is on its way to it. */
export interface DigestMessage {
  readonly type: 'digest'
  readonly channel: number
  readonly digest: Uint8Array
}

/** Server: whether it holds the same. */
export interface ComparedMessage {
  readonly type: 'compared'
  readonly channel: number
  readonly same: boolean
}

/** Server: its store does not take edits for now, or does again. */
export interface StoreStateMessage {
  readonly type: 'store'
  readonly channel: number
  readonly failing: boolean
}

export function writeDigest(encoder: Encoder, { channel, digest }: DigestMessage): void {
  writeNumber(encoder, channel)
  writeBytes(encoder, digest)
}

export function readDigest(decoder: Decoder): DigestMessage {
  const channel = readNumber(decoder)
  const digest = readBytes(decoder)
  if (digest.length !== DIGEST_BYTES)
    throw new ProtocolError('bad-message', strings.malformed.digest(digest.length, DIGEST_BYTES))
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

export function writeStoreState(encoder: Encoder, { channel, failing }: StoreStateMessage): void {
  writeNumber(encoder, channel)
  writeFlag(encoder, failing)
}

export const readStoreState = (decoder: Decoder): StoreStateMessage => ({
  type: 'store',
  channel: readNumber(decoder),
  failing: readFlag(decoder),
})
