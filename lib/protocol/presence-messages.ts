/** Who is present and where. These messages carry no number: the next one replaces a lost one. */
import { MAX_PRESENCE_BYTES } from './limits.ts'
import type { Decoder, Encoder } from './wire.ts'
import {
  readBytes,
  readFlag,
  readNumber,
  readString,
  writeBytes,
  writeFlag,
  writeNumber,
  writeString,
} from './wire.ts'

export interface PresenceMessage {
  readonly type: 'presence'
  readonly channel: number
  /** True: the update holds everybody who is present, and anybody missing has left. Sent on every new link. */
  readonly whole: boolean
  /** An awareness update as y-protocols encodes it. */
  readonly update: Uint8Array
}

export function writePresence(encoder: Encoder, { channel, whole, update }: PresenceMessage): void {
  writeNumber(encoder, channel)
  writeFlag(encoder, whole)
  writeBytes(encoder, update)
}

export const readPresence = (decoder: Decoder): PresenceMessage => ({
  type: 'presence',
  channel: readNumber(decoder),
  whole: readFlag(decoder),
  update: readBytes(decoder),
})

/** A window's caret moved. The rest of the presence that it sent on this link stays. */
export interface CaretMessage {
  readonly type: 'caret'
  readonly channel: number
  /** The `cursor` of its presence state, as JSON. */
  readonly cursor: string
}

export function writeCaret(encoder: Encoder, { channel, cursor }: CaretMessage): void {
  writeNumber(encoder, channel)
  writeString(encoder, cursor)
}

export const readCaret = (decoder: Decoder): CaretMessage => ({
  type: 'caret',
  channel: readNumber(decoder),
  cursor: readString(decoder, MAX_PRESENCE_BYTES),
})
