/** What the dialects of Yjs's own servers share: the messages of y-protocols, written and read by hand. */
import * as decoding from 'lib0/decoding'
import * as encoding from 'lib0/encoding'
import {
  AWARENESS,
  EMPTY_UPDATE,
  STEP_1,
  STEP_2,
  SYNC,
  UPDATE,
} from '../../../server/gateways/y-protocol-numbers.ts'

/** An empty document's state vector. */
const NOTHING = Uint8Array.of(0)

export type Begin = (encoder: encoding.Encoder) => void

export function message(begin: Begin, ...parts: readonly (number | string | Uint8Array)[]): Uint8Array {
  const encoder = encoding.createEncoder()
  begin(encoder)
  for (const part of parts) {
    if (typeof part === 'number') encoding.writeVarUint(encoder, part)
    else if (typeof part === 'string') encoding.writeVarString(encoder, part)
    else encoding.writeVarUint8Array(encoder, part)
  }
  return encoding.toUint8Array(encoder)
}

export const askForState = (begin: Begin): Uint8Array => message(begin, SYNC, STEP_1, NOTHING)
export const tellNoState = (begin: Begin): Uint8Array => message(begin, SYNC, STEP_2, EMPTY_UPDATE)
export const tellUpdate = (begin: Begin, update: Uint8Array): Uint8Array =>
  message(begin, SYNC, UPDATE, update)

/** Of a client that shows nobody who it is: as y-protocols renews it every 15 s. */
export function renewAwareness(begin: Begin, client: number, clock: number): Uint8Array {
  const update = message(() => {}, 1, client, clock, '{}')
  return message(begin, AWARENESS, update)
}

export interface HearsSync {
  askedForState(): void
  state(update: Uint8Array): void
  update(update: Uint8Array): void
}

/** The rest of a message of the kind SYNC. */
export function readSync(decoder: decoding.Decoder, hears: HearsSync): void {
  const step = decoding.readVarUint(decoder)
  if (step === STEP_1) hears.askedForState()
  if (step === STEP_2) hears.state(decoding.readVarUint8Array(decoder))
  if (step === UPDATE) hears.update(decoding.readVarUint8Array(decoder))
}
