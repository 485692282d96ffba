/** Who is here and where. Carries no number: what is lost is replaced by what comes next. */
import type { Decoder, Encoder } from './wire.ts'
import { readBytes, readFlag, readNumber, writeBytes, writeFlag, writeNumber } from './wire.ts'

export interface Presence {
  readonly type: 'presence'
  readonly channel: number
  /** True: these are all, whoever is missing has left. Comes with every new link. */
  readonly whole: boolean
  /** An awareness update as y-protocols encodes it. */
  readonly update: Uint8Array
}

export function writePresence(encoder: Encoder, { channel, whole, update }: Presence): void {
  writeNumber(encoder, channel)
  writeFlag(encoder, whole)
  writeBytes(encoder, update)
}

export const readPresence = (decoder: Decoder): Presence => ({
  type: 'presence',
  channel: readNumber(decoder),
  whole: readFlag(decoder),
  update: readBytes(decoder),
})
