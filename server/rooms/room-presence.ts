/**
 * The presence of a room. The server removes a state with its session, not by a client's timer (W7). It gives states clocks of its
 * own, so that a client that returns under the same id is newer than its own removal. It writes the person into each state, because
 * a window cannot be trusted with that. It keeps and broadcasts only what fits the schema and the limits (W8).
 */
import {
  MAX_PRESENCE_BYTES,
  MAX_PRESENCE_MESSAGE_BYTES,
  MAX_PRESENCE_STATE_BYTES,
  MAX_ROOM_PRESENCE_BYTES,
  MAX_UNKNOWN_PRESENCES,
} from '../../lib/protocol/limits.ts'
import { type PresenceState, readPresenceState } from '../../lib/protocol/presence-state.ts'
import {
  type ClientPresence,
  REMOVED_STATE,
  writePresenceUpdate,
} from '../../lib/protocol/presence-update.ts'
import { isRecord } from '../../lib/protocol/value-reader.ts'
import type { Bytes, Decoder } from '../../lib/protocol/wire.ts'
import {
  createDecoder,
  hasMoreBytes,
  ProtocolError,
  readBytes,
  readNumber,
  readString,
} from '../../lib/protocol/wire.ts'
import { serverRefusalsStrings } from '../../lib/strings/server-refusals.ts'
import type { Principal } from '../access/principal.ts'
import { RoomRefusal } from './rooms.ts'

/** Stands beside the id of a client whose state is in another message: no reader takes a clock of 0 for a new state. */
const PLACEHOLDER_STATE = { clock: 0, json: '{}' }
/** A window is one client, but a program with a stock provider may hold several editors. */
const MAX_CLIENTS = 1
const MAX_STOCK_CLIENTS = 4
/** A stock client repeats all presence that it receives, so it may send twice what a room holds. */
const MAX_UPDATE_BYTES = 2 * MAX_ROOM_PRESENCE_BYTES

let latestClock = 0

/** Returns a clock above every earlier one, also those of a former room of the document and of a former server process. */
const nextClock = (): number => (latestClock = Math.max(latestClock + 1, Date.now()))

/** The person that the server writes into a state, whatever the client wrote there. */
export interface PresenceIdentity {
  readonly id: string
  readonly name?: string
  /** A CSS colour. A window sends its own; the server writes one only when the person chooses another. */
  readonly color?: string
}

/** A client that has only a share link's token is a program or a stock client: its one name is the one it gives itself. */
export const presenceIdentityOf = ({ id, name, token }: Principal): PresenceIdentity =>
  token === undefined ? { id, name } : { id }

/** The sender of a presence update. */
export interface PresenceAuthor {
  readonly identity: PresenceIdentity
  /** Its provider repeats all presence of others that it receives. */
  readonly isStock: boolean
  /** Who may show a client in place of an owner on another node: a window that moved here, or there. Null for nobody. */
  readonly movesAs?: string | null
  /** True for an owner on another node. */
  readonly isRemote?: boolean
}

interface PresenceEntry<Owner> {
  readonly owner: Owner
  clock: number
  /** JSON text, as in y-protocols. */
  readonly state: string
  /** The length of the state in UTF-8. */
  readonly bytes: number
}

export class RoomPresence<Owner> {
  readonly #entries = new Map<number, PresenceEntry<Owner>>()
  readonly #clientsOf = new Map<Owner, Set<number>>()
  /** Clients whose newest state was not broadcast yet. */
  readonly #pendingClients = new Map<Owner, Set<number>>()
  readonly #authorOf: (owner: Owner) => PresenceAuthor
  readonly #mayUse: (owner: Owner, client: number) => boolean
  #bytes = 0

  /** @param mayUse Returns false if the client id is somebody else's, who may be away. */
  constructor(
    authorOf: (owner: Owner) => PresenceAuthor,
    mayUse: (owner: Owner, client: number) => boolean = () => true,
  ) {
    this.#authorOf = authorOf
    this.#mayUse = mayUse
  }

  /** Keeps what fits, ignores the rest. Returns whether there is news to send. @throws {RoomRefusal} for bytes that do not decode. */
  receive(owner: Owner, update: Uint8Array): boolean {
    const author = this.#authorOf(owner)
    for (const { client, state } of this.#read(owner, update))
      this.#receiveState(owner, author, client, state)
    return this.#pendingClients.has(owner)
  }

  /** Takes in what another node broadcast for its member. Returns whether there is news to send. */
  receiveRemote(owner: Owner, update: Uint8Array): boolean {
    for (const { client, state, clock } of this.#read(owner, update)) {
      latestClock = Math.max(latestClock, clock)
      const entry = this.#entries.get(client)
      if (entry && entry.owner !== owner && entry.clock >= clock) continue // it moved away from there
      if (state === null) this.#forget(owner, client)
      else {
        const text = JSON.stringify(state)
        this.#show(owner, client, text, Buffer.byteLength(text))
      }
    }
    return this.#pendingClients.has(owner)
  }

  #read(owner: Owner, update: Uint8Array): ReceivedState[] {
    const maxClients = this.#entries.size + MAX_UNKNOWN_PRESENCES
    return readPresence(update, maxClients, (client) => this.#mayUpdate(owner, client))
  }

  /** Encodes the states that the owner shows; null if it shows none. */
  encode(owner: Owner): Bytes | null {
    const clients = this.#clientsOf.get(owner)
    return clients
      ? writePresenceUpdate([...clients].flatMap((client) => this.#pendingStatesOf(owner, client)))
      : null
  }

  /** Renames the owner, and removes a state that the new name makes too long. Returns whether something is to be sent. */
  changeIdentity(owner: Owner, identity: PresenceIdentity): boolean {
    const author = { ...this.#authorOf(owner), identity }
    const shown = Array.from(this.#clientsOf.get(owner) ?? [], (client) => ({
      client,
      state: JSON.parse(this.#entries.get(client)!.state) as PresenceState,
    }))
    for (const { client, state } of shown) {
      this.#forget(owner, client)
      this.#receiveState(owner, author, client, state)
    }
    return this.#pendingClients.has(owner)
  }

  /** Does nothing if the owner shows no state. Otherwise as `receive`. */
  receiveCaret(owner: Owner, cursor: string): boolean {
    const client = this.clientOf(owner)
    const entry = client === undefined ? undefined : this.#entries.get(client)
    const receivedCursor = readCursor(cursor)
    if (client === undefined || !entry) return false
    this.#receiveState(owner, this.#authorOf(owner), client, {
      ...(JSON.parse(entry.state) as PresenceState),
      cursor: receivedCursor,
    })
    return this.#pendingClients.has(owner)
  }

  /** Returns the update for the others with the newest state of each of the owner's clients; null if nothing is new. */
  takePendingUpdate(owner: Owner): Bytes | null {
    const clients = this.#pendingClients.get(owner)
    if (!clients) return null
    this.#pendingClients.delete(owner)
    const states = [...clients].flatMap((client) => this.#pendingStatesOf(owner, client))
    return states.length > 0 ? writePresenceUpdate(states) : null
  }

  /**
   * Encodes all states but the owner's, with new clocks: stock clients remove a state whose clock stands still for 30 s. The last
   * message names all clients.
   */
  encodeOthers(owner: Owner): Bytes[] {
    const states = [...this.#entries].flatMap(([client, entry]) => {
      if (entry.owner === owner) return []
      entry.clock = nextClock()
      return [{ client, clock: entry.clock, json: entry.state, bytes: entry.bytes }]
    })
    const messages = splitIntoMessages(states)
    if (messages.length <= 1) return [writePresenceUpdate(states)]
    return [
      ...messages.map(writePresenceUpdate),
      writePresenceUpdate(states.map(({ client }) => ({ client, ...PLACEHOLDER_STATE }))),
    ]
  }

  /** Returns the removal for the others; null if the owner never showed a state. */
  leave(owner: Owner): Bytes | null {
    for (const client of this.#clientsOf.get(owner) ?? []) this.#forget(owner, client)
    return this.takePendingUpdate(owner)
  }

  /** The first client id under which the owner shows a state. */
  clientOf(owner: Owner): number | undefined {
    return this.#clientsOf.get(owner)?.values().next().value
  }

  ownerOf(client: number): Owner | undefined {
    return this.#entries.get(client)?.owner
  }

  #receiveState(owner: Owner, source: PresenceAuthor, client: number, received: PresenceState | null): void {
    if (received === null) return this.#forget(owner, client)
    if (source.isStock && this.#isEcho(owner, source, client, received)) return
    if (!this.#mayShow(owner, source, client)) return
    const fields = readPresenceState(received) ?? {}
    const state = withIdentity(fields, source.identity)
    const bytes = Buffer.byteLength(state)
    if (bytes > MAX_PRESENCE_STATE_BYTES) return
    if (this.#freeSpace(client, bytes)) this.#show(owner, client, state, bytes)
    else this.#forget(owner, client)
  }

  /** In a full room removes the largest states, so that a few large ones hide nobody. Returns false if no state is larger. */
  #freeSpace(client: number, bytes: number): boolean {
    const more = bytes - (this.#entries.get(client)?.bytes ?? 0)
    while (this.#bytes + more > MAX_ROOM_PRESENCE_BYTES) {
      const [largest, entry] = this.#largest()
      if (entry.bytes <= bytes) return false
      this.#forget(entry.owner, largest)
    }
    return true
  }

  #largest(): [client: number, present: PresenceEntry<Owner>] {
    return [...this.#entries].reduce((a, b) => (b[1].bytes > a[1].bytes ? b : a))
  }

  #mayUpdate(owner: Owner, client: number): boolean {
    const entry = this.#entries.get(client)
    if (!entry || entry.owner === owner) return entry !== undefined || this.#mayUse(owner, client)
    return this.#hasMoved(entry.owner, owner)
  }

  /** True if one of them is on another node and both are the same person: a window that moved shows itself where it is now. */
  #hasMoved(from: Owner, to: Owner): boolean {
    const [former, latter] = [this.#authorOf(from), this.#authorOf(to)]
    const isElsewhere = former.isRemote === true || latter.isRemote === true
    return isElsewhere && former.movesAs != null && former.movesAs === latter.movesAs
  }

  #mayShow(owner: Owner, { isStock }: PresenceAuthor, client: number): boolean {
    const own = this.#clientsOf.get(owner)
    return own === undefined || own.has(client) || own.size < (isStock ? MAX_STOCK_CLIENTS : MAX_CLIENTS)
  }

  /** True if a stock provider repeats the state of somebody who left: it holds the identity that the server wrote into it. */
  #isEcho(owner: Owner, { identity }: PresenceAuthor, client: number, { user }: PresenceState): boolean {
    if (this.#clientsOf.get(owner)?.has(client)) return false
    return isRecord(user) && user.id !== undefined && user.id !== identity.id
  }

  #show(owner: Owner, client: number, state: string, bytes: number): void {
    const former = this.#entries.get(client)
    if (former && former.owner !== owner) this.#forget(former.owner, client)
    this.#bytes += bytes - (this.#entries.get(client)?.bytes ?? 0)
    this.#entries.set(client, { owner, clock: nextClock(), state, bytes })
    addTo(this.#clientsOf, owner, client)
    addTo(this.#pendingClients, owner, client)
  }

  #forget(owner: Owner, client: number): void {
    const entry = this.#entries.get(client)
    if (!entry) return
    this.#bytes -= entry.bytes
    this.#entries.delete(client)
    const own = this.#clientsOf.get(owner)
    own?.delete(client)
    if (own?.size === 0) this.#clientsOf.delete(owner)
    addTo(this.#pendingClients, owner, client)
  }

  /** Returns nothing if somebody else uses the client id by now. */
  #pendingStatesOf(owner: Owner, client: number): ClientPresence[] {
    const entry = this.#entries.get(client)
    if (!entry) return [{ client, clock: nextClock(), json: REMOVED_STATE }]
    return entry.owner === owner ? [{ client, clock: entry.clock, json: entry.state }] : []
  }
}

function addTo<Key>(sets: Map<Key, Set<number>>, key: Key, client: number): void {
  const set = sets.get(key)
  if (set) set.add(client)
  else sets.set(key, new Set([client]))
}

const withIdentity = (state: PresenceState, identity: PresenceIdentity): string =>
  JSON.stringify({ ...state, user: { ...(isRecord(state.user) && state.user), ...identity } })

/** Client id and clock of one state, and its length. */
const STATE_HEADER_BYTES = 20

function splitIntoMessages<State extends { readonly bytes: number }>(states: readonly State[]): State[][] {
  const messages: State[][] = []
  let bytesLeft = 0
  for (const state of states) {
    if (state.bytes + STATE_HEADER_BYTES > bytesLeft) {
      messages.push([])
      bytesLeft = MAX_PRESENCE_MESSAGE_BYTES
    }
    messages.at(-1)!.push(state)
    bytesLeft -= state.bytes + STATE_HEADER_BYTES
  }
  return messages
}

interface ReceivedState {
  readonly client: number
  readonly clock: number
  /** Null removes the state. */
  readonly state: PresenceState | null
}

/** @param isWanted Returns false for other people's clients, whose states are skipped. */
function readPresence(
  update: Uint8Array,
  maxClients: number,
  isWanted: (client: number) => boolean,
): ReceivedState[] {
  if (update.length > MAX_UPDATE_BYTES) throw tooLongRefusal(update.length)
  try {
    const decoder = createDecoder(update)
    const clients = readNumber(decoder)
    if (clients > maxClients)
      throw new ProtocolError('bad-frame', serverRefusalsStrings.presence.manyClients(clients, maxClients))
    const received: ReceivedState[] = []
    for (let left = clients; left > 0; left--) {
      const client = readNumber(decoder)
      const clock = readNumber(decoder)
      if (isWanted(client)) received.push({ client, clock, state: readState(decoder) })
      else readBytes(decoder)
    }
    if (hasMoreBytes(decoder))
      throw new ProtocolError('bad-frame', serverRefusalsStrings.presence.bytesBehind)
    return received
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error)
    throw new RoomRefusal({ code: 'bad-frame', detail })
  }
}

/** @throws {RoomRefusal} for text that is no JSON. */
function readCursor(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new RoomRefusal({
      code: 'bad-frame',
      detail: serverRefusalsStrings.presence.caret(text.slice(0, 40)),
    })
  }
}

/** Every reader expects an object or a removal, so anything else is stopped here. */
function readState(decoder: Decoder): PresenceState | null {
  const text = readString(decoder, MAX_PRESENCE_BYTES)
  const state: unknown = JSON.parse(text)
  if (state !== null && !isRecord(state))
    throw new ProtocolError('bad-frame', serverRefusalsStrings.presence.noObject(text.slice(0, 40)))
  return state
}

const tooLongRefusal = (bytes: number): RoomRefusal =>
  new RoomRefusal({
    code: 'bad-message',
    detail: serverRefusalsStrings.presence.long(bytes, MAX_UPDATE_BYTES),
  })
