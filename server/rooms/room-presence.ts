/**
 * Who is in a room, as the server tells it: states expire with their session, not by a client's timer (W7). The server's own
 * clock orders them, so that a client that comes back under the same id is newer than its own goodbye.
 */
import type { Bytes } from '../../lib/protocol/wire.ts'
import {
  createDecoder,
  createEncoder,
  hasMore,
  ProtocolError,
  readNumber,
  readString,
  toBytes,
  writeNumber,
  writeString,
} from '../../lib/protocol/wire.ts'
import { RoomRefusal } from './rooms.ts'

/** More ids than this in one update is no person's window. */
const MAX_CLIENTS = 100

interface Present<Owner> {
  readonly owner: Owner
  clock: number
  /** JSON text, as y-protocols carries it; 'null' is a goodbye. */
  state: string
}

interface Told {
  readonly client: number
  readonly clock: number
  readonly state: string
}

export class RoomPresence<Owner> {
  readonly #present = new Map<number, Present<Owner>>()
  /** Above every clock given out before, also by a room of the same document that is gone. */
  #clock = Date.now()

  /** The update as the others hear it, null when there is nothing new. @throws {RoomRefusal} for bytes that do not decode. */
  hear(owner: Owner, update: Uint8Array): Bytes | null {
    const told = readPresence(update).filter(({ client }) => this.#mayTell(owner, client))
    return told.length > 0 ? writePresence(told.map((one) => this.#set(owner, one))) : null
  }

  /** Everybody but the owner's own, under new clocks: stock clients forget whose clock stands still for 30 s. */
  others(owner: Owner): Bytes {
    const others = [...this.#present].filter(([, present]) => present.owner !== owner)
    return writePresence(
      others.map(([client, { owner: its, state }]) => this.#set(its, { client, clock: 0, state })),
    )
  }

  /** The goodbye the others hear, null when the owner never showed. */
  leave(owner: Owner): Bytes | null {
    const own = [...this.#present].filter(([, present]) => present.owner === owner)
    if (own.length === 0) return null
    return writePresence(own.map(([client]) => this.#set(owner, { client, clock: 0, state: 'null' })))
  }

  #mayTell(owner: Owner, client: number): boolean {
    const present = this.#present.get(client)
    return present === undefined || present.owner === owner
  }

  #set(owner: Owner, { client, state }: Told): Told {
    this.#clock = Math.max(this.#clock + 1, Date.now())
    if (state === 'null') this.#present.delete(client)
    else this.#present.set(client, { owner, clock: this.#clock, state })
    return { client, clock: this.#clock, state }
  }
}

function writePresence(told: readonly Told[]): Bytes {
  const encoder = createEncoder()
  writeNumber(encoder, told.length)
  for (const { client, clock, state } of told) {
    writeNumber(encoder, client)
    writeNumber(encoder, clock)
    writeString(encoder, state)
  }
  return toBytes(encoder)
}

function readPresence(update: Uint8Array): Told[] {
  try {
    const decoder = createDecoder(update)
    const count = readNumber(decoder)
    if (count > MAX_CLIENTS)
      throw new ProtocolError('bad-message', `${count} clients; the limit is ${MAX_CLIENTS}`)
    const told = Array.from({ length: count }, () => ({
      client: readNumber(decoder),
      clock: readNumber(decoder),
      state: readJson(readString(decoder)),
    }))
    if (hasMore(decoder)) throw new ProtocolError('bad-frame', 'bytes after the end of a presence update')
    return told
  } catch (error) {
    throw new RoomRefusal({
      code: 'bad-frame',
      detail: error instanceof Error ? error.message : String(error),
    })
  }
}

/** Every reader parses it, so what does not parse is stopped here. */
function readJson(text: string): string {
  JSON.parse(text)
  return text
}
