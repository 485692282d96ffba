/**
 * Who is in a room, as the server tells it: states expire with their session, not by a client's timer (W7). The server's own
 * clock orders them, so that a client that comes back under the same id is newer than its own goodbye. And it stamps them: whose
 * window speaks is not for the window to say.
 */
import { MAX_PRESENCE_BYTES } from '../../lib/protocol/limits.ts'
import type { Bytes, Decoder } from '../../lib/protocol/wire.ts'
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
import type { Principal } from '../access/principal.ts'
import { RoomRefusal } from './rooms.ts'

/** As y-protocols writes it. */
const GOODBYE = 'null'
/** More ids than this are no person's window. */
const MAX_CLIENTS = 100

let latest = 0

/** Above every clock given out before, also by a room of the same document that is gone, or by a server that was. */
const nextClock = (): number => (latest = Math.max(latest + 1, Date.now()))

/** What a state says of its person, whatever it said before. */
interface Stamp {
  readonly id: string
  readonly name?: string
}

/** Who came by a link's token alone is a program, or a stock client: it has no other name than the one it gives itself. */
export const stampOf = ({ id, name, token }: Principal): Stamp =>
  token === undefined ? { id, name } : { id }

interface Present<Owner> {
  readonly owner: Owner
  clock: number
  /** JSON text, as y-protocols carries it; 'null' is a goodbye. */
  state: string
}

type State = Readonly<Record<string, unknown>>

interface Told {
  readonly client: number
  readonly clock: number
  readonly state: string
}

interface Heard {
  readonly client: number
  /** Null is a goodbye. */
  readonly state: State | null
}

export class RoomPresence<Owner> {
  readonly #present = new Map<number, Present<Owner>>()
  readonly #stampOf: (owner: Owner) => Stamp

  constructor(stamp: (owner: Owner) => Stamp) {
    this.#stampOf = stamp
  }

  /** The update as the others hear it, null when there is nothing new. @throws {RoomRefusal} for bytes that do not decode. */
  hear(owner: Owner, update: Uint8Array): Bytes | null {
    const told = readPresence(update).filter(({ client }) => this.#mayTell(owner, client))
    const ids = new Set([...this.#idsOf(owner), ...told.map(({ client }) => client)])
    if (ids.size > MAX_CLIENTS) throw tooMany(ids.size)
    if (told.length === 0) return null
    const stamp = this.#stampOf(owner)
    return writePresence(
      told.map(({ client, state }) => this.#set(owner, client, state ? stamped(state, stamp) : GOODBYE)),
    )
  }

  /** Everybody but the owner's own, under new clocks: stock clients forget whose clock stands still for 30 s. */
  others(owner: Owner): Bytes {
    const others = [...this.#present].filter(([, present]) => present.owner !== owner)
    return writePresence(others.map(([client, { owner: its, state }]) => this.#set(its, client, state)))
  }

  /** The goodbye the others hear, null when the owner never showed. */
  leave(owner: Owner): Bytes | null {
    const own = this.#idsOf(owner)
    if (own.length === 0) return null
    return writePresence(own.map((client) => this.#set(owner, client, GOODBYE)))
  }

  /** The name under which the owner is known. */
  clientOf(owner: Owner): number | undefined {
    return this.#idsOf(owner)[0]
  }

  ownerOf(client: number): Owner | undefined {
    return this.#present.get(client)?.owner
  }

  #idsOf(owner: Owner): number[] {
    return [...this.#present].filter(([, present]) => present.owner === owner).map(([client]) => client)
  }

  #mayTell(owner: Owner, client: number): boolean {
    const present = this.#present.get(client)
    return present === undefined || present.owner === owner
  }

  #set(owner: Owner, client: number, state: string): Told {
    const clock = nextClock()
    if (state === GOODBYE) this.#present.delete(client)
    else this.#present.set(client, { owner, clock, state })
    return { client, clock, state }
  }
}

const stamped = (state: State, stamp: Stamp): string =>
  JSON.stringify({ ...state, user: { ...(isObject(state.user) && state.user), ...stamp } })

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

function readPresence(update: Uint8Array): Heard[] {
  try {
    const decoder = createDecoder(update)
    const count = readNumber(decoder)
    if (count > MAX_CLIENTS) throw tooMany(count)
    const told = Array.from({ length: count }, () => readOne(decoder))
    if (hasMore(decoder)) throw new ProtocolError('bad-frame', 'bytes after the end of a presence update')
    return told
  } catch (error) {
    if (error instanceof RoomRefusal) throw error
    const detail = error instanceof Error ? error.message : String(error)
    throw new RoomRefusal({ code: 'bad-frame', detail })
  }
}

function readOne(decoder: Decoder): Heard {
  const client = readNumber(decoder)
  readNumber(decoder) // the client's clock
  return { client, state: readState(readString(decoder, MAX_PRESENCE_BYTES)) }
}

/** Every reader takes it for an object or a goodbye, so anything else is stopped here. */
function readState(text: string): State | null {
  const state: unknown = JSON.parse(text)
  if (state !== null && !isObject(state))
    throw new ProtocolError('bad-frame', `a presence of ${text.slice(0, 40)}`)
  return state
}

const isObject = (value: unknown): value is State =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const tooMany = (count: number): RoomRefusal =>
  new RoomRefusal({
    code: 'bad-message',
    detail: `${count} clients of one window; the limit is ${MAX_CLIENTS}`,
  })
