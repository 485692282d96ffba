/** Writes and reads the messages of y-protocols by hand, for the protocols of all servers of Yjs. */
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

export type WritePrefix = (encoder: encoding.Encoder) => void

export function message(begin: WritePrefix, ...parts: readonly (number | string | Uint8Array)[]): Uint8Array {
  const encoder = encoding.createEncoder()
  begin(encoder)
  for (const part of parts) {
    if (typeof part === 'number') encoding.writeVarUint(encoder, part)
    else if (typeof part === 'string') encoding.writeVarString(encoder, part)
    else encoding.writeVarUint8Array(encoder, part)
  }
  return encoding.toUint8Array(encoder)
}

export const writeStateRequest = (begin: WritePrefix): Uint8Array => message(begin, SYNC, STEP_1, NOTHING)
export const writeNoState = (begin: WritePrefix): Uint8Array => message(begin, SYNC, STEP_2, EMPTY_UPDATE)
export const writeUpdate = (begin: WritePrefix, update: Uint8Array): Uint8Array =>
  message(begin, SYNC, UPDATE, update)

/** The awareness message of a client that shows no state; y-protocols renews it every 15 s. */
export function renewAwareness(begin: WritePrefix, client: number, clock: number): Uint8Array {
  const update = message(() => {}, 1, client, clock, '{}')
  return message(begin, AWARENESS, update)
}

export interface SyncListener {
  onStateRequested(): void
  onState(update: Uint8Array): void
  onUpdate(update: Uint8Array): void
}

/** The rest of a message of the kind SYNC. */
export function readSync(decoder: decoding.Decoder, listener: SyncListener): void {
  const step = decoding.readVarUint(decoder)
  if (step === STEP_1) listener.onStateRequested()
  if (step === STEP_2) listener.onState(decoding.readVarUint8Array(decoder))
  if (step === UPDATE) listener.onUpdate?.(decoding.readVarUint8Array(decoder))
}
