/** The y-protocols format of presence: a count, then client id, clock and state of each client. */
import { MAX_PRESENCE_BYTES } from './limits.ts'
import {
  type Bytes,
  createDecoder,
  createEncoder,
  readNumber,
  readString,
  toBytes,
  writeNumber,
  writeString,
} from './wire.ts'

/** The JSON that y-protocols writes for a removed state. */
export const REMOVED_STATE = 'null'

/** One client's state in an update. */
export interface ClientPresence {
  readonly client: number
  readonly clock: number
  /** The state as JSON. */
  readonly json: string
}

export function writePresenceUpdate(states: readonly ClientPresence[]): Bytes {
  const encoder = createEncoder()
  writeNumber(encoder, states.length)
  for (const { client, clock, json } of states) {
    writeNumber(encoder, client)
    writeNumber(encoder, clock)
    writeString(encoder, json)
  }
  return toBytes(encoder)
}

/** @throws {ProtocolError} */
export function readPresenceUpdate(update: Uint8Array): ClientPresence[] {
  const decoder = createDecoder(update)
  const states: ClientPresence[] = []
  for (let left = readNumber(decoder); left > 0; left--)
    states.push({
      client: readNumber(decoder),
      clock: readNumber(decoder),
      json: readString(decoder, MAX_PRESENCE_BYTES),
    })
  return states
}
