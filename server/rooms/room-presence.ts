/**
 * Who is in a room, as the server tells it: states expire with their session, not by a client's timer (W7). The server's own
 * clock orders them, so that a client that comes back under the same id is newer than its own goodbye.
 */
import { MAX_PRESENCE_BYTES } from '../../lib/protocol/limits.ts'
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

/** More ids than this are no person's window. */
const MAX_CLIENTS = 100

let latest = 0

/** Above every clock given out before, also by a room of the same document that is gone, or by a server that was. */
const nextClock = (): number => (latest = Math.max(latest + 1, Date.now()))

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

  /** The update as the others hear it, null when there is nothing new. @throws {RoomRefusal} for bytes that do not decode. */
  hear(owner: Owner, update: Uint8Array): Bytes | null {
    const told = readPresence(update).filter(({ client }) => this.#mayTell(owner, client))
    const ids = new Set([...this.#idsOf(owner), ...told.map(({ client }) => client)])
    if (ids.size > MAX_CLIENTS) throw tooMany(ids.size)
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
    const own = this.#idsOf(owner)
    if (own.length === 0) return null
    return writePresence(own.map((client) => this.#set(owner, { client, clock: 0, state: 'null' })))
  }

  #idsOf(owner: Owner): number[] {
    return [...this.#present].filter(([, present]) => present.owner === owner).map(([client]) => client)
  }

  #mayTell(owner: Owner, client: number): boolean {
    const present = this.#present.get(client)
    return present === undefined || present.owner === owner
  }

  #set(owner: Owner, { client, state }: Told): Told {
    const clock = nextClock()
    if (state === 'null') this.#present.delete(client)
    else this.#present.set(client, { owner, clock, state })
    return { client, clock, state }
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
    if (count > MAX_CLIENTS) throw tooMany(count)
    const told = Array.from({ length: count }, () => ({
      client: readNumber(decoder),
      clock: readNumber(decoder),
      state: readState(readString(decoder, MAX_PRESENCE_BYTES)),
    }))
    if (hasMore(decoder)) throw new ProtocolError('bad-frame', 'bytes after the end of a presence update')
    return told
  } catch (error) {
    if (error instanceof RoomRefusal) throw error
    const detail = error instanceof Error ? error.message : String(error)
    throw new RoomRefusal({ code: 'bad-frame', detail })
  }
}

/** Every reader parses it and takes it for an object or a goodbye, so anything else is stopped here. */
function readState(text: string): string {
  const state: unknown = JSON.parse(text)
  if (state === null) return 'null'
  if (typeof state !== 'object') throw new ProtocolError('bad-frame', `a presence of ${text.slice(0, 40)}`)
  return text
}

const tooMany = (count: number): RoomRefusal =>
  new RoomRefusal({
    code: 'bad-message',
    detail: `${count} clients of one window; the limit is ${MAX_CLIENTS}`,
  })
