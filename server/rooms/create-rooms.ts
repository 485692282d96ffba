/** The rooms in use: loaded once however many come, kept a while after the last has left, compacted between times. */
import type { Logger } from 'pino'
import type * as Y from 'yjs'
import type { CloseReason } from '../../lib/protocol/close.ts'
import { isDocumentId } from '../../lib/protocol/ids.ts'
import { palette } from '../../lib/protocol/palette.ts'
import { realClock } from '../../lib/session/clock.ts'
import { strings } from '../../lib/strings/server-refusals.ts'
import type { Access } from '../access/access.ts'
import type { Principal, Role } from '../access/principal.ts'
import type { ChangedProfile, Profiles } from '../access/profiles.ts'
import { Counts } from '../metrics/counts.ts'
import { RateLimits } from '../rate-limit.ts'
import { compactDocument, type Snapshot } from '../store/compaction.ts'
import { Merging } from '../store/merging.ts'
import { type DocumentStore, type Edit, type Part, StoreError } from '../store/store.ts'
import type { Versions } from '../versions/versions.ts'
import { NO_CLIENT, type Seat } from './audience.ts'
import { deskOf } from './desk.ts'
import { Faults, SET_ASIDE_MS } from './faults.ts'
import { ClientIdBudget } from './client-id-budget.ts'
import { IntegrationBudget } from './integration-budget.ts'
import { Projection } from './projection.ts'
import { Room, SERVER_SESSION } from './room.ts'
import type { JoinRequest, Member, Membership, Rooms } from './rooms.ts'
import { RoomRefusal } from './rooms.ts'
import { TextThreads } from './text-threads.ts'

/** How long an empty room is kept, for a window that is only being reloaded. */
const LINGER_MS = 30_000

/** A window of a document that is set aside asks again so often: a restart of the server heals it sooner. */
const ASK_AGAIN_MS = 30_000

export interface RoomsParts {
  readonly store: DocumentStore
  readonly access: Pick<Access, 'roleOf' | 'onChanged'>
  /** What people are called by now; without it, as they were when they came. */
  readonly profiles?: Pick<Profiles, 'latest' | 'onChanged'>
  readonly log: Logger
  readonly counts?: Counts
  /** Decode large texts. */
  readonly texts?: TextThreads
  /** Shorten logs. */
  readonly merging?: Merging
  readonly budget?: IntegrationBudget
  readonly clientIds?: ClientIdBudget
  /** Documents and tokens that do not fit (A6); no limit unless given. */
  readonly guesses?: RateLimits
  /** Writes the title's projection, and that the document changed, into SQL. */
  onTitle(document: string, title: string): Promise<void>
  readonly faults?: Faults
  /** When the store was restored from a backup: then editors may bring back what it lost (A5). */
  readonly restoredAt?: number | null
  /** Somebody did. At most once for a document. */
  onRecovered?(document: string): void
  /** Hears who wrote in a body, and that nobody is in it any more. */
  readonly versions?: Pick<Versions, 'edited' | 'left'>
}

interface Place {
  readonly key: string
  readonly loading: Promise<Room>
  room: Room | null
  /** Entrances and edits of the server's own that are under way. */
  visits: number
  retired: boolean
  cancelLinger: () => void
  readonly projection: Projection
  isCompacting: boolean
}

const isIdle = ({ visits, room, retired }: Place): boolean =>
  visits === 0 && !retired && room?.seats.size === 0

/** A class, since thousands of seats with a closure for each of these would be megabytes. */
class SeatMembership implements Membership {
  readonly #room: Room
  readonly #seat: Seat

  constructor(room: Room, seat: Seat) {
    this.#room = room
    this.#seat = seat
  }

  resync(stateVector: Uint8Array, client = this.#seat.client): void {
    this.#room.resync(this.#seat, stateVector, client)
  }

  edit(update: Uint8Array, number: number): Promise<void> {
    return this.#room.accept(this.#seat, update, number)
  }

  lacks(stateVector: Uint8Array): number {
    return this.#room.lackedBy(stateVector)
  }

  owes(): number {
    return this.#room.owes(this.#seat)
  }

  catchUp(): void {
    this.#room.catchUp(this.#seat)
  }

  presence(update: Uint8Array): void {
    this.#room.hearPresence(this.#seat, update)
  }

  caret(cursor: string): void {
    this.#room.hearCaret(this.#seat, cursor)
  }

  trace(to: number, bytes: Uint8Array): void {
    this.#room.hearTrace(this.#seat, to, bytes)
  }

  digest(): Promise<Uint8Array | null> | null {
    return this.#room.digest()
  }

  repeatPresence(): void {
    this.#room.repeatPresence(this.#seat)
  }

  hidePresence(): void {
    this.#room.hidePresence(this.#seat)
  }

  leave(): void {
    this.#room.leave(this.#seat)
  }
}

function storedUnder({ document, part, principal }: JoinRequest): string {
  const isThere = part === 'desk' ? document === '' : isDocumentId(document)
  if (!isThere) throw new RoomRefusal({ code: 'bad-document', detail: document.slice(0, 80) })
  if (part !== 'desk') return document
  const desk = deskOf(principal)
  if (!desk) throw new RoomRefusal({ code: 'forbidden', detail: strings.room.noDesk })
  return desk
}

/**
 * Everybody with the same link is the same principal, and pays for none of the others. Null: a stock client guesses once a connection,
 * which its address pays for.
 */
function guesserOf({ principal: { id, token }, session, isStock }: JoinRequest): string | null {
  if (token === undefined) return id
  return isStock ? null : `${id} ${session}`
}

const tooManyGuesses = (waitMs: number): RoomRefusal =>
  new RoomRefusal({
    code: 'overloaded',
    detail: strings.room.manyGuesses,
    retryAfterMs: Math.ceil(waitMs),
  })

export function createRooms(parts: RoomsParts): Rooms {
  const { counts = new Counts(), faults = new Faults(), log } = parts
  const {
    texts = new TextThreads(),
    merging = new Merging(),
    budget = new IntegrationBudget(),
    clientIds = new ClientIdBudget(),
  } = parts
  const { guesses = new RateLimits(null, realClock) } = parts
  const places = new Map<string, Place>()
  const retiring = new Map<string, Promise<unknown>>()
  const stopListening = parts.access.onChanged((document) => void recheck(document))
  const stopRenaming = parts.profiles?.onChanged(rename)
  /** Documents of which that was told. */
  const recovered = new Set<string>()
  let closed = false

  return { join, edit, evict, close }

  async function join(request: JoinRequest, member: Member): Promise<Membership> {
    const { part, token, session, client = NO_CLIENT, isStock = false } = request
    const document = storedUnder(request)
    const role = await roleOfJoiner(request, document)
    return visit(document, part, async (_place, room) => {
      await request.admit?.(room.lackedBy(request.stateVector))
      const principal = parts.profiles?.latest(request.principal) ?? request.principal
      const who = { member, principal, session, token, isStock }
      const seat: Seat = { ...who, role, client, seated: false, writing: 0, heard: null }
      room.enter(seat, request.stateVector)
      // A right may have been taken away between the question and the entrance.
      void recheckSeat(room, seat)
      return new SeatMembership(room, seat)
    })
  }

  /** Counts before it looks, since one message can ask for thousands. A right guess costs nothing in the end. */
  async function roleOfJoiner(request: JoinRequest, document: string): Promise<Role> {
    const { part, principal, token } = request
    const guesser = guesserOf(request)
    const waitMs = guesser === null ? 0 : guesses.take(guesser)
    if (waitMs > 0) throw tooManyGuesses(waitMs)
    const role = await roleIn({ document, part }, principal, token)
    if (!role) throw new RoomRefusal({ code: 'forbidden' })
    if (guesser !== null) guesses.giveBack(guesser)
    return role
  }

  function roleIn(
    { document, part }: Pick<Room, 'document' | 'part'>,
    principal: Principal,
    token: string,
  ): Role | null | Promise<Role | null> {
    if (part === 'desk') return deskOf(principal) === document ? 'owner' : null
    return parts.access.roleOf(principal, document, token)
  }

  function edit(
    document: string,
    part: Part,
    principal: Principal,
    change: (doc: Y.Doc) => void,
  ): Promise<void> {
    return visit(document, part, async (place, room) => {
      await room.change(principal, change)
      await place.projection.now()
    })
  }

  function evict(document: string, reason: CloseReason): void {
    for (const { room } of placesOf(document)) for (const seat of room?.seats ?? []) room?.evict(seat, reason)
  }

  async function close(): Promise<void> {
    closed = true
    stopListening()
    stopRenaming?.()
    for (const place of places.values()) retire(place)
    await Promise.all(retiring.values())
  }

  // Loading and leaving

  async function visit<Answer>(
    document: string,
    part: Part,
    work: (place: Place, room: Room) => Answer | Promise<Answer>,
  ): Promise<Answer> {
    if (closed) throw new RoomRefusal({ code: 'going-away' })
    const key = `${document}/${part}`
    refuseSetAside(key)
    const place = places.get(key) ?? openPlace(key, document, part)
    place.visits += 1
    place.cancelLinger()
    try {
      return await work(place, await place.loading)
    } finally {
      place.visits -= 1
      afterLeaving(place)
    }
  }

  function refuseSetAside(key: string): void {
    const leftMs = faults.setAsideMs(key)
    if (leftMs === 0) return
    const detail = strings.room.setAside(Math.ceil(leftMs / 60_000))
    throw new RoomRefusal({ code: 'set-aside', detail, retryAfterMs: Math.min(leftMs, ASK_AGAIN_MS) })
  }

  /** Whoever comes from now on gets another room, also while others are still on their way into this one. */
  function afterFault(place: Place): void {
    addFault(place)
    if (!place.retired) retire(place)
  }

  function addFault({ key }: Place): void {
    if (faults.add(key))
      log.error({ place: key, ms: SET_ASIDE_MS }, 'document set aside: it failed again and again')
  }

  function openPlace(key: string, document: string, part: Part): Place {
    const place: Place = {
      key,
      loading: load(document, part).catch((error: unknown) => failedToLoad(place, error)),
      room: null,
      visits: 0,
      retired: false,
      cancelLinger: () => {},
      projection: new Projection({
        title: async () => (await place.room?.title()) ?? '',
        write: (title) => parts.onTitle(document, title),
        onFailed: (error) => log.error({ document, err: error }, 'title was not written to the list'),
      }),
      isCompacting: false,
    }
    places.set(key, place)
    return place

    /** Only once the last edits of the room before it are on disk. */
    async function load(document: string, part: Part): Promise<Room> {
      await retiring.get(key)
      const { store } = parts
      place.room = await Room.load({
        document,
        part,
        store,
        log,
        counts,
        texts,
        budget,
        clientIds,
        onCommitted: (room, edits) => afterCommit(place, room, edits),
        onEmpty: () => afterLeaving(place),
        onFault: () => afterFault(place),
        restoredAt: parts.restoredAt ?? null,
        onRecovered: (room) => afterRecovery(room),
      })
      compactLong(place, place.room)
      return place.room
    }
  }

  function failedToLoad(place: Place, error: unknown): never {
    forget(place)
    log.error({ place: place.key, err: error }, 'document cannot be loaded')
    if (!(error instanceof StoreError)) addFault(place) // it was read, and is at fault itself
    throw new RoomRefusal({ code: 'overloaded', detail: strings.room.notLoaded, retryAfterMs: 1_000 })
  }

  function afterLeaving(place: Place): void {
    if (!isIdle(place)) return
    place.cancelLinger()
    const timer = setTimeout(() => void dismiss(place), LINGER_MS)
    timer.unref()
    place.cancelLinger = () => clearTimeout(timer)
  }

  /** Somebody may come while the last edits are still being written. */
  async function dismiss(place: Place): Promise<void> {
    await place.room?.settled()
    if (isIdle(place)) retire(place)
  }

  function retire(place: Place): void {
    const { key } = place
    forget(place)
    const before = retiring.get(key)
    const done = Promise.all([before, leavePlace(place)]).finally(() => {
      if (retiring.get(key) === done) retiring.delete(key)
    })
    retiring.set(key, done)
  }

  function forget(place: Place): void {
    place.retired = true
    place.cancelLinger()
    if (places.get(place.key) === place) places.delete(place.key)
  }

  /** Never rejects: whoever comes next would be refused for what went wrong before. */
  async function leavePlace(place: Place): Promise<void> {
    const room = await place.loading.catch(() => null)
    if (room) await closeRoom(place, room).catch((error: unknown) => logFailed(room, error))
  }

  async function closeRoom(place: Place, room: Room): Promise<void> {
    await room.settled()
    // A compaction goes on by itself: whoever loads the document meanwhile reads it as it was before, or as it is behind it.
    if (!room.faulty) await place.projection.now()
    place.projection.stop()
    room.close()
    if (!closed && room.part === 'body') parts.versions?.left(room.document)
  }

  function placesOf(document: string): Place[] {
    return [...places].filter(([key]) => key.startsWith(`${document}/`)).map(([, place]) => place)
  }

  // After commits

  /** What is made of an edit later is no reason to doubt the edit. */
  function afterCommit(place: Place, room: Room, edits: readonly Edit[]): void {
    try {
      if (room.part === 'body') tellBody(place, room, edits)
      compactLong(place, room)
    } catch (error) {
      logFailed(room, error)
    }
  }

  function tellBody(place: Place, room: Room, edits: readonly Edit[]): void {
    for (const { principal, session } of edits)
      if (session !== SERVER_SESSION) parts.versions?.edited(room.document, principal)
    place.projection.edited()
  }

  function logFailed({ document }: Room, error: unknown): void {
    log.error({ document, err: error }, 'work beside a room failed; the room goes on')
  }

  function afterRecovery({ document }: Room): void {
    if (recovered.has(document)) return
    recovered.add(document)
    log.warn({ document }, 'windows brought back text that the restored store had lost')
    parts.onRecovered?.(document)
  }

  function compactLong(place: Place, room: Room): void {
    if (room.isLong && !place.isCompacting && !place.retired) void compact(place, room)
  }

  /** Never rejects. */
  async function compact(place: Place, room: Room): Promise<void> {
    place.isCompacting = true
    try {
      let snapshot: Snapshot | null
      do {
        snapshot = await shorten(room)
        if (snapshot) room.compacted(snapshot)
        else room.notCompacted()
      } while (snapshot && room.isLong && !place.retired) // what came meanwhile may be as long
    } catch (error) {
      // The next room of the document may have written a newer snapshot; a store that is closed takes none.
      const level = place.retired ? 'debug' : 'error'
      log[level]({ document: room.document, err: error }, 'compaction failed; the log stays as it is')
      room.notCompacted()
    } finally {
      place.isCompacting = false
    }
  }

  async function shorten(room: Room): Promise<Snapshot | null> {
    const { document, part } = room
    const own = room.snapshot()
    if (!own) return compactDocument(parts.store, document, part, merging)
    await parts.store.compact(document, part, own.state, own.sequence, own.stateVector)
    return own
  }

  // Names

  /** At once, so that whoever is told that it is done finds it done. */
  function rename({ id, name, formerNames, colour }: ChangedProfile): void {
    const color = colour && palette[colour]
    for (const { room } of places.values())
      for (const seat of room?.seats ?? [])
        if (seat.principal.id === id)
          room?.setPrincipal(seat, { ...seat.principal, name, formerNames }, color)
  }

  // Rights

  async function recheck(document: string): Promise<void> {
    const seats = placesOf(document).flatMap(({ room }) =>
      room ? [...room.seats].map((seat) => ({ room, seat })) : [],
    )
    await Promise.all(seats.map(({ room, seat }) => recheckSeat(room, seat)))
  }

  /** Never rejects. */
  async function recheckSeat(room: Room, seat: Seat): Promise<void> {
    let role: Role | null
    try {
      role = await roleIn(room, seat.principal, seat.token)
    } catch (error) {
      log.error({ document: room.document, err: error }, 'rights could not be read')
      return room.evict(seat, { code: 'overloaded', detail: strings.room.rightsUnknown })
    }
    if (!role) return room.evict(seat, { code: 'forbidden' })
    if (role !== seat.role) room.setRole(seat, role)
  }
}
