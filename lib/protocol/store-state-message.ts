/** Whether the store takes edits (D3). The message carries no number: a new link brings the state again. */
import type { Decoder, Encoder } from './wire.ts'
import { readFlag, readNumber, writeFlag, writeNumber } from './wire.ts'

/** Server: its store stopped taking edits, or takes them again. */
export interface StoreStateMessage {
  readonly type: 'store'
  readonly channel: number
  readonly failing: boolean
}

export function writeStoreState(encoder: Encoder, { channel, failing }: StoreStateMessage): void {
  writeNumber(encoder, channel)
  writeFlag(encoder, failing)
}

export const readStoreState = (decoder: Decoder): StoreStateMessage => ({
  type: 'store',
  channel: readNumber(decoder),
  failing: readFlag(decoder),
})
