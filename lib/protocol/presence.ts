/** Who is here and where. Carries no number: what is lost is replaced by what comes next. */
import type { Decoder, Encoder } from './wire.ts'
import { readBytes, readNumber, writeBytes, writeNumber } from './wire.ts'

export interface Presence {
  readonly type: 'presence'
  readonly channel: number
  /** An awareness update as y-protocols encodes it. */
  readonly update: Uint8Array
}

export function writePresence(encoder: Encoder, { channel, update }: Presence): void {
  writeNumber(encoder, channel)
  writeBytes(encoder, update)
}

export const readPresence = (decoder: Decoder): Presence => ({
  type: 'presence',
  channel: readNumber(decoder),
  update: readBytes(decoder),
})
