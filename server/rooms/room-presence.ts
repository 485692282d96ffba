/**
 * Who is in a room, as the server tells it: states expire with their session, not by a client's timer (W7). The server's own
 * clock orders them, so that a client that comes back under the same id is newer than its own goodbye. And it stamps them: whose
 * window speaks is not for the window to say. It keeps and tells only what fits the schema and the limits (W8).
 */
import {
  MAX_PRESENCE_BYTES,
  MAX_PRESENCE_MESSAGE_BYTES,
  MAX_PRESENCE_STATE_BYTES,
  MAX_ROOM_PRESENCE_BYTES,
} from '../../lib/protocol/limits.ts'
import { type PresenceState, readPresenceState } from '../../lib/protocol/presence-state.ts'
import { isRecord } from '../../lib/protocol/value-reader.ts'
import type { Bytes, Decoder } from '../../lib/protocol/wire.ts'
import {
  createDecoder,
  createEncoder,
  hasMore,
  ProtocolError,
  readBytes,
  readNumber,
  readString,
  toBytes,
  writeNumber,
  writeString,
} from '../../lib/protocol/wire.ts'
import { strings } from '../../lib/strings/server-refusals.ts'
import type { Principal } from '../access/principal.ts'
import { RoomRefusal } from './rooms.ts'

/** As y-protocols writes it. */
const GOODBYE = 'null'
/** What stands beside the id of a client that another message tells of: no reader takes a clock of 0 for news. */
const TOLD_ELSEWHERE = { clock: 0, state: '{}' }
/** A window is one client. A program with a stock provider may hold several editors. */
const MAX_CLIENTS = 1
const MAX_STOCK_CLIENTS = 4
/** A stock client repeats all that it hears, so it may say twice what a room holds. */
const MAX_UPDATE_BYTES = 2 * MAX_ROOM_PRESENCE_BYTES

let latest = 0

/** Above every clock given out before, also by a room of the same document that is gone, or by a server that was. */
const nextClock = (): number => (latest = Math.max(latest + 1, Date.now()))

/** What a state says of its person, whatever it said before. */
export interface Stamp {
  readonly id: string
  readonly name?: string
  /** As a style has it; a window tells its own, and is stamped only when its person chooses another. */
  readonly color?: string
}

/** Who came by a link's token alone is a program, or a stock client: it has no other name than the one it gives itself. */
export const stampOf = ({ id, name, token }: Principal): Stamp =>
  token === undefined ? { id, name } : { id }

/** Who speaks. */
interface PresenceSource {
  readonly stamp: Stamp
  /** Its provider says again all that it hears of others. */
  readonly isStock: boolean
}

interface Present<Owner> {
  readonly owner: Owner
  clock: number
  /** JSON text, as y-protocols carries it. */
  readonly state: string
  /** UTF-8. */
  readonly bytes: number
}

/** Of one client in an update; the clock that it brought is not read. */
interface ClientState {
  readonly client: number
  readonly clock: number
  readonly state: string
}

export class RoomPresence<Owner> {
  readonly #present = new Map<number, Present<Owner>>()
  readonly #clientsOf = new Map<Owner, Set<number>>()
  /** Clients whose news were not told yet. */
  readonly #news = new Map<Owner, Set<number>>()
  readonly #sourceOf: (owner: Owner) => PresenceSource
  readonly #mayUse: (owner: Owner, client: number) => boolean
  #bytes = 0

  /** @param mayUse False where the client id is somebody else's, who may be away. */
  constructor(
    sourceOf: (owner: Owner) => PresenceSource,
    mayUse: (owner: Owner, client: number) => boolean = () => true,
  ) {
    this.#sourceOf = sourceOf
    this.#mayUse = mayUse
  }

  /** Takes in what fits; the rest is passed over. Returns whether there is news of the owner. @throws {RoomRefusal} for bytes that do not decode. */
  hear(owner: Owner, update: Uint8Array): boolean {
    const source = this.#sourceOf(owner)
    for (const { client, state } of readPresence(update, (client) => this.#maySpeakFor(owner, client)))
      this.#hearOne(owner, source, client, state)
    return this.#news.has(owner)
  }

  /** The owner is called otherwise from now on; what does not fit under the new name is shown no more. Returns whether there is news. */
  restamp(owner: Owner, stamp: Stamp): boolean {
    const source = { ...this.#sourceOf(owner), stamp }
    const shown = Array.from(this.#clientsOf.get(owner) ?? [], (client) => ({
      client,
      state: JSON.parse(this.#present.get(client)!.state) as PresenceState,
    }))
    for (const { client, state } of shown) {
      this.#forget(owner, client)
      this.#hearOne(owner, source, client, state)
    }
    return this.#news.has(owner)
  }

  /** Of an owner that shows no state there is nothing to change. The rest as `hear`. */
  hearCaret(owner: Owner, cursor: string): boolean {
    const client = this.clientOf(owner)
    const present = client === undefined ? undefined : this.#present.get(client)
    const said = readCursor(cursor)
    if (client === undefined || !present) return false
    this.#hearOne(owner, this.#sourceOf(owner), client, {
      ...(JSON.parse(present.state) as PresenceState),
      cursor: said,
    })
    return this.#news.has(owner)
  }

  /** The owner's news as the others hear it, with the newest state of each client; null where there is none. */
  takeNews(owner: Owner): Bytes | null {
    const clients = this.#news.get(owner)
    if (!clients) return null
    this.#news.delete(owner)
    return writePresence([...clients].flatMap((client) => this.#newsOf(owner, client)))
  }

  /**
   * Everybody but the owner's own, under new clocks: stock clients forget whose clock stands still for 30 s. The last message names
   * all who are here.
   */
  others(owner: Owner): Bytes[] {
    const states = [...this.#present].flatMap(([client, present]) => {
      if (present.owner === owner) return []
      present.clock = nextClock()
      return [{ client, clock: present.clock, state: present.state, bytes: present.bytes }]
    })
    const messages = inMessages(states)
    if (messages.length <= 1) return [writePresence(states)]
    return [
      ...messages.map(writePresence),
      writePresence(states.map(({ client }) => ({ client, ...TOLD_ELSEWHERE }))),
    ]
  }

  /** The goodbye the others hear, null when the owner never showed. */
  leave(owner: Owner): Bytes | null {
    for (const client of this.#clientsOf.get(owner) ?? []) this.#forget(owner, client)
    return this.takeNews(owner)
  }

  /** The name under which the owner is known. */
  clientOf(owner: Owner): number | undefined {
    return this.#clientsOf.get(owner)?.values().next().value
  }

  ownerOf(client: number): Owner | undefined {
    return this.#present.get(client)?.owner
  }

  #hearOne(owner: Owner, source: PresenceSource, client: number, said: PresenceState | null): void {
    if (said === null) return this.#forget(owner, client)
    if (source.isStock && this.#isEcho(owner, source, client, said)) return
    if (!this.#mayShow(owner, source, client)) return
    const known = readPresenceState(said) ?? {}
    const state = stamped(known, source.stamp)
    const bytes = Buffer.byteLength(state)
    if (bytes > MAX_PRESENCE_STATE_BYTES) return
    if (this.#makeRoom(client, bytes)) this.#show(owner, client, state, bytes)
    else this.#forget(owner, client)
  }

  /** In a full room the largest states give way, so that few large ones hide nobody. False: there is no larger one. */
  #makeRoom(client: number, bytes: number): boolean {
    const more = bytes - (this.#present.get(client)?.bytes ?? 0)
    while (this.#bytes + more > MAX_ROOM_PRESENCE_BYTES) {
      const [largest, present] = this.#largest()
      if (present.bytes <= bytes) return false
      this.#forget(present.owner, largest)
    }
    return true
  }

  #largest(): [client: number, present: Present<Owner>] {
    return [...this.#present].reduce((a, b) => (b[1].bytes > a[1].bytes ? b : a))
  }

  #maySpeakFor(owner: Owner, client: number): boolean {
    const present = this.#present.get(client)
    return present ? present.owner === owner : this.#mayUse(owner, client)
  }

  #mayShow(owner: Owner, { isStock }: PresenceSource, client: number): boolean {
    const own = this.#clientsOf.get(owner)
    return own === undefined || own.has(client) || own.size < (isStock ? MAX_STOCK_CLIENTS : MAX_CLIENTS)
  }

  /** What a stock provider says again of somebody who has left meanwhile: it stands there with the stamp that it was told with. */
  #isEcho(owner: Owner, { stamp }: PresenceSource, client: number, { user }: PresenceState): boolean {
    if (this.#clientsOf.get(owner)?.has(client)) return false
    return isRecord(user) && user.id !== undefined && user.id !== stamp.id
  }

  #show(owner: Owner, client: number, state: string, bytes: number): void {
    this.#bytes += bytes - (this.#present.get(client)?.bytes ?? 0)
    this.#present.set(client, { owner, clock: nextClock(), state, bytes })
    addTo(this.#clientsOf, owner, client)
    addTo(this.#news, owner, client)
  }

  #forget(owner: Owner, client: number): void {
    const present = this.#present.get(client)
    if (!present) return
    this.#bytes -= present.bytes
    this.#present.delete(client)
    const own = this.#clientsOf.get(owner)
    own?.delete(client)
    if (own?.size === 0) this.#clientsOf.delete(owner)
    addTo(this.#news, owner, client)
  }

  /** None where somebody else came under its id meanwhile. */
  #newsOf(owner: Owner, client: number): ClientState[] {
    const present = this.#present.get(client)
    if (!present) return [{ client, clock: nextClock(), state: GOODBYE }]
    return present.owner === owner ? [{ client, clock: present.clock, state: present.state }] : []
  }
}

function addTo<Key>(sets: Map<Key, Set<number>>, key: Key, client: number): void {
  const set = sets.get(key)
  if (set) set.add(client)
  else sets.set(key, new Set([client]))
}

const stamped = (state: PresenceState, stamp: Stamp): string =>
  JSON.stringify({ ...state, user: { ...(isRecord(state.user) && state.user), ...stamp } })

/** Client id and clock of one state, and its length. */
const HEAD_BYTES = 20

function inMessages<State extends { readonly bytes: number }>(states: readonly State[]): State[][] {
  const messages: State[][] = []
  let room = 0
  for (const state of states) {
    if (state.bytes + HEAD_BYTES > room) {
      messages.push([])
      room = MAX_PRESENCE_MESSAGE_BYTES
    }
    messages.at(-1)!.push(state)
    room -= state.bytes + HEAD_BYTES
  }
  return messages
}

function writePresence(states: readonly ClientState[]): Bytes {
  const encoder = createEncoder()
  writeNumber(encoder, states.length)
  for (const { client, clock, state } of states) {
    writeNumber(encoder, client)
    writeNumber(encoder, clock)
    writeString(encoder, state)
  }
  return toBytes(encoder)
}

interface SaidState {
  readonly client: number
  /** Null is a goodbye. */
  readonly state: PresenceState | null
}

/** @param isWanted Of others' clients nothing is read. */
function readPresence(update: Uint8Array, isWanted: (client: number) => boolean): SaidState[] {
  if (update.length > MAX_UPDATE_BYTES) throw tooLong(update.length)
  try {
    const decoder = createDecoder(update)
    const said: SaidState[] = []
    for (let left = readNumber(decoder); left > 0; left--) {
      const client = readNumber(decoder)
      readNumber(decoder) // the client's clock
      if (isWanted(client)) said.push({ client, state: readState(decoder) })
      else readBytes(decoder)
    }
    if (hasMore(decoder)) throw new ProtocolError('bad-frame', strings.presence.bytesBehind)
    return said
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error)
    throw new RoomRefusal({ code: 'bad-frame', detail })
  }
}

/** @throws {RoomRefusal} for what is no JSON. */
function readCursor(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new RoomRefusal({ code: 'bad-frame', detail: strings.presence.caret(text.slice(0, 40)) })
  }
}

/** Every reader takes it for an object or a goodbye, so anything else is stopped here. */
function readState(decoder: Decoder): PresenceState | null {
  const text = readString(decoder, MAX_PRESENCE_BYTES)
  const state: unknown = JSON.parse(text)
  if (state !== null && !isRecord(state))
    throw new ProtocolError('bad-frame', strings.presence.noObject(text.slice(0, 40)))
  return state
}

const tooLong = (bytes: number): RoomRefusal =>
  new RoomRefusal({ code: 'bad-message', detail: strings.presence.long(bytes, MAX_UPDATE_BYTES) })
