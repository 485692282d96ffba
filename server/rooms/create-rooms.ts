/** The rooms in use: loaded once however many come, kept a while after the last has left, compacted between times. */
import type { Logger } from 'pino'
import type * as Y from 'yjs'
import type { CloseReason } from '../../lib/protocol/close.ts'
import { isDocumentId } from '../../lib/protocol/ids.ts'
import type { Access } from '../access/access.ts'
import type { Principal, Role } from '../access/principal.ts'
import { compactDocument } from '../store/compaction.ts'
import type { DocumentStore, Part } from '../store/store.ts'
import { Room, type Seat } from './room.ts'
import type { JoinRequest, Member, Membership, Rooms } from './rooms.ts'
import { RoomRefusal } from './rooms.ts'

/** How long an empty room is kept, for a window that is only being reloaded. */
const LINGER_MS = 30_000
/** Log entries behind the snapshot that are worth a compaction: loading them takes about 10 ms. */
const COMPACT_ENTRIES = 500
const TITLE_MS = 250

export interface RoomsParts {
  readonly store: DocumentStore
  readonly access: Pick<Access, 'roleOf' | 'onChanged'>
  readonly log: Logger
  /** Writes the title's projection, and that the document changed, into SQL. */
  onTitle(document: string, title: string): Promise<void>
}

interface Place {
  readonly loading: Promise<Room>
  room: Room | null
  /** Empty, and dismissed when its time is over, unless somebody comes. */
  lingering: boolean
  cancelLinger: () => void
  cancelTitle: () => void
  projecting: Promise<void>
  compacting: boolean
}

export function createRooms(parts: RoomsParts): Rooms {
  const places = new Map<string, Place>()
  const retiring = new Map<string, Promise<void>>()
  const stopListening = parts.access.onChanged((document) => void recheck(document))

  return { join, edit, evict, close }

  async function join(request: JoinRequest, member: Member): Promise<Membership> {
    const { document, part, principal, token, session } = request
    if (!isDocumentId(document))
      throw new RoomRefusal({ code: 'bad-document', detail: document.slice(0, 80) })
    const role = await parts.access.roleOf(principal, document, token)
    if (!role) throw new RoomRefusal({ code: 'forbidden' })
    const { place, room } = await enter(document, part)
    const seat: Seat = { member, principal, session, token, role, seated: false }
    room.enter(seat, request.stateVector)
    // A right may have been taken away between the question and the entrance.
    void recheckSeat(room, seat)
    return membershipOf(place, room, seat)
  }

  function membershipOf(place: Place, room: Room, seat: Seat): Membership {
    return {
      edit: (update, number) => room.accept(seat, update, number),
      presence: (update) => room.hearPresence(seat, update),
      repeatPresence: () => room.repeatPresence(seat),
      hidePresence: () => room.hidePresence(seat),
      leave() {
        room.leave(seat)
        if (room.seats.size === 0) linger(place, room)
      },
    }
  }

  async function edit(
    document: string,
    part: Part,
    principal: Principal,
    change: (doc: Y.Doc) => void,
  ): Promise<void> {
    const { place, room } = await enter(document, part)
    await room.change(principal, change)
    await project(place, room)
    if (room.seats.size === 0) linger(place, room)
  }

  function evict(document: string, reason: CloseReason): void {
    for (const { room } of placesOf(document))
      for (const seat of [...(room?.seats ?? [])]) room?.evict(seat, reason)
  }

  async function close(): Promise<void> {
    stopListening()
    const open = [...places.values()]
    for (const place of open) place.cancelLinger()
    await Promise.all([...open.map((place) => leavePlace(place)), ...retiring.values()])
    places.clear()
  }

  // Loading and leaving

  async function enter(document: string, part: Part): Promise<{ place: Place; room: Room }> {
    const key = `${document}/${part}`
    const known = places.get(key)
    if (known?.room?.spoiled) retire(key, known)
    const place = places.get(key) ?? openPlace(key, document, part)
    place.lingering = false
    place.cancelLinger()
    return { place, room: await place.loading }
  }

  function openPlace(key: string, document: string, part: Part): Place {
    const { store, log } = parts
    const loading = Room.load({
      document,
      part,
      store,
      log,
      onCommitted: (room) => afterCommit(place, room),
    }).catch((error: unknown) => {
      places.delete(key)
      log.error({ document, part, err: error }, 'document cannot be loaded')
      throw new RoomRefusal({
        code: 'overloaded',
        detail: 'The document cannot be loaded now.',
        retryAfterMs: 1_000,
      })
    })
    const place: Place = {
      loading,
      room: null,
      lingering: false,
      cancelLinger: () => {},
      cancelTitle: () => {},
      projecting: Promise.resolve(),
      compacting: false,
    }
    places.set(key, place)
    loading.then(
      (room) => (place.room = room),
      () => {},
    )
    return place
  }

  function linger(place: Place, room: Room): void {
    place.cancelLinger()
    place.lingering = true
    const timer = setTimeout(() => void dismiss(place, room), LINGER_MS)
    timer.unref()
    place.cancelLinger = () => clearTimeout(timer)
  }

  async function dismiss(place: Place, room: Room): Promise<void> {
    await room.settled()
    if (place.lingering) retire(`${room.document}/${room.part}`, place)
  }

  /** A room that comes after it is loaded only once this one's last edits are on disk. */
  function retire(key: string, place: Place): void {
    places.delete(key)
    const done = leavePlace(place).finally(() => retiring.delete(key))
    retiring.set(key, done)
  }

  async function leavePlace(place: Place): Promise<void> {
    const room = await place.loading.catch(() => null)
    if (!room) return
    await room.settled()
    place.cancelTitle()
    await project(place, room)
    room.close()
  }

  function placesOf(document: string): Place[] {
    return [...places].filter(([key]) => key.startsWith(`${document}/`)).map(([, place]) => place)
  }

  // After commits

  function afterCommit(place: Place, room: Room): void {
    place.cancelTitle()
    const timer = setTimeout(() => void project(place, room), TITLE_MS)
    timer.unref()
    place.cancelTitle = () => clearTimeout(timer)
    if (room.logLength >= COMPACT_ENTRIES && !place.compacting) void compact(place, room)
  }

  function project(place: Place, room: Room): Promise<void> {
    if (room.part !== 'body') return place.projecting
    const write = () => parts.onTitle(room.document, room.doc.getText('title').toString())
    place.projecting = place.projecting.then(write).catch((error: unknown) => {
      parts.log.error({ document: room.document, err: error }, 'title was not written to the list')
    })
    return place.projecting
  }

  async function compact(place: Place, room: Room): Promise<void> {
    place.compacting = true
    const before = room.logLength
    try {
      await compactDocument(parts.store, room.document, room.part)
      room.logLength -= before
    } catch (error) {
      parts.log.error({ document: room.document, err: error }, 'compaction failed; the log stays as it is')
      room.logLength = 0 // try again after as many entries more
    } finally {
      place.compacting = false
    }
  }

  // Rights

  async function recheck(document: string): Promise<void> {
    const seats = placesOf(document).flatMap(({ room }) =>
      [...(room?.seats ?? [])].map((seat) => ({ room, seat })),
    )
    await Promise.all(seats.map(({ room, seat }) => room && recheckSeat(room, seat)))
  }

  async function recheckSeat(room: Room, seat: Seat): Promise<void> {
    let role: Role | null
    try {
      role = await parts.access.roleOf(seat.principal, room.document, seat.token)
    } catch (error) {
      parts.log.error({ document: room.document, err: error }, 'rights could not be read')
      return room.evict(seat, { code: 'overloaded', detail: 'Rights could not be checked.' })
    }
    if (!role) return room.evict(seat, { code: 'forbidden' })
    if (role === seat.role) return
    seat.role = role
    if (room.seats.has(seat) && seat.seated) seat.member.onRole(role)
  }
}
