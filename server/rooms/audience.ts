/**
 * Who is in a room, and what each of them is told: a first state, others' edits, who else is here, how the store fares. Nobody
 * hears an edit twice, and nobody their own. Whoever calls says what is on disk; knows neither the text nor the store.
 */
import * as Y from 'yjs'
import { SharedUpdates } from '../../lib/protocol/shared.ts'
import type { Principal, Role } from '../access/principal.ts'
import type { Clocks } from './check-update.ts'
import { PresencePace } from './presence-pace.ts'
import { RoomPresence, type Stamp, stampOf } from './room-presence.ts'
import type { Member } from './rooms.ts'
import { Telling } from './telling.ts'

/** In the place of a Yjs client id. */
export const NO_CLIENT = 0

export interface Seat {
  readonly member: Member
  principal: Principal
  readonly session: string
  readonly token: string
  /** It speaks through a stock provider. */
  readonly isStock: boolean
  role: Role
  /** The Yjs client id that it announced, and will write under (A5); NO_CLIENT until a stock client shows its presence. */
  client: number
  /** Heard its first state, and hears changes from then on. */
  seated: boolean
  /** Its edits that are not on disk yet. */
  writing: number
  /** While it lags: the state vector of all that it was told (S6). */
  heard: Uint8Array | null
}

/** An edit that is on disk. */
export interface Told {
  readonly update: Uint8Array
  readonly clocks: Clocks
  readonly author: Seat | null
}

export interface FirstState {
  readonly updates: readonly Uint8Array[]
  /** The first of them, as it travels. */
  readonly packed?: Uint8Array
  readonly stateVector: Uint8Array
}

export interface AudienceParts {
  /** A member threw while it was told. It hears nothing more; the others were told all the same. */
  onMemberFailed(seat: Seat, error: unknown): void
  /** Edits could not be merged; they are told one by one. */
  onMergeFailed(error: unknown): void
  /** What a seat says of itself may be told now: `takePresence` has it. */
  onLatePresence(seat: Seat): void
  /** False where the client id is somebody else's. */
  mayUse(seat: Seat, client: number): boolean
}

export class Audience {
  readonly #parts: AudienceParts
  readonly #seats = new Set<Seat>()
  readonly #presence: RoomPresence<Seat>
  readonly #presencePace: PresencePace<Seat>
  readonly #telling = new Telling<Told>((edits) => this.#tellChanges(edits))
  /** The state vector of what is on disk and was told. */
  readonly #told: Map<number, number>

  constructor(told: Clocks, parts: AudienceParts) {
    this.#parts = parts
    this.#told = new Map(told)
    this.#presence = new RoomPresence(
      ({ principal, isStock }) => ({ stamp: stampOf(principal), isStock }),
      (seat, client) => parts.mayUse(seat, client),
    )
    this.#presencePace = new PresencePace((seat) => parts.onLatePresence(seat))
  }

  close(): void {
    this.#presencePace.stop()
  }

  get seats(): ReadonlySet<Seat> {
    return this.#seats
  }

  /** Of all that was told. */
  get stateVector(): Uint8Array {
    return Y.encodeStateVector(this.#told)
  }

  /** How much of all that was told whoever has these clocks lacks: from 0 to 1. */
  shareLackedBy(theirs: Clocks): number {
    let all = 0
    let lacking = 0
    for (const [client, clock] of this.#told) {
      all += clock
      lacking += Math.max(0, clock - (theirs.get(client) ?? 0))
    }
    return all === 0 ? 0 : lacking / all
  }

  enter(seat: Seat): void {
    this.#seats.add(seat)
  }

  /** False: it was not here. */
  leave(seat: Seat): boolean {
    const wasHere = this.#seats.delete(seat)
    if (wasHere) this.hidePresence(seat)
    return wasHere
  }

  /** @param state Asked for once all that was told before it is out. */
  tellState(seat: Seat, state: () => FirstState): void {
    if (!this.#seats.has(seat)) return
    this.#telling.now()
    seat.seated = true
    seat.heard = null
    const first = { role: seat.role, ...state() }
    this.#tell(seat, ({ member }) => member.onState(first))
    this.#tellWhoIsHere(seat)
  }

  /** @param heard What it lagged behind when the updates were made. */
  tellCaughtUp(seat: Seat, heard: Uint8Array, updates: readonly Uint8Array[]): void {
    if (!this.#seats.has(seat) || seat.heard !== heard) return
    this.#telling.now()
    seat.heard = null
    this.#tell(seat, ({ member }) => updates.forEach((update) => member.onCaughtUp(update)))
    this.#tellWhoIsHere(seat)
  }

  /** Told with the others of the same turn, when `flush` ends it. */
  addEdit(edit: Told): void {
    this.#telling.add(edit)
  }

  flush(): void {
    this.#telling.now()
  }

  /** As the others hear it now, null when there is nothing new, or not yet. @throws {RoomRefusal} for a flood, and for bytes that do not decode. */
  hearPresence(seat: Seat, update: Uint8Array): Uint8Array | null {
    return this.#newsAfter(seat, () => this.#presence.hear(seat, update))
  }

  /** The same, where a seat says no more than where its caret is. */
  hearCaret(seat: Seat, cursor: string): Uint8Array | null {
    return this.#newsAfter(seat, () => this.#presence.hearCaret(seat, cursor))
  }

  /** @param hear Whether there is news of the seat. */
  #newsAfter(seat: Seat, hear: () => boolean): Uint8Array | null {
    this.#presencePace.heard(seat)
    return hear() && this.#presencePace.mayTell(seat) ? this.takePresence(seat) : null
  }

  /** What is said of the seat is stamped anew; null where it does not show itself. */
  restamp(seat: Seat, stamp: Stamp): Uint8Array | null {
    return this.#presence.restamp(seat, stamp) ? this.takePresence(seat) : null
  }

  /** The newest of what the seat says of itself, as the others hear it; null where they have it. */
  takePresence(seat: Seat): Uint8Array | null {
    return this.#presence.takeNews(seat)
  }

  /** The id its presence stands under. */
  clientOf(seat: Seat): number | undefined {
    return this.#presence.clientOf(seat)
  }

  tellPresence(from: Seat, update: Uint8Array): void {
    if (this.#seats.has(from)) this.#tellOthers(from, update)
  }

  repeatPresence(seat: Seat): void {
    if (hears(seat)) this.#tellWhoIsHere(seat)
  }

  hidePresence(seat: Seat): void {
    this.#presencePace.forget(seat)
    this.#tellOthers(seat, this.#presence.leave(seat))
  }

  tellTrace(from: Seat, to: number, bytes: Uint8Array): void {
    this.#telling.behind(() => {
      const name = this.#presence.clientOf(from) // none once it has left
      if (name === undefined) return
      const one = to === 0 ? undefined : this.#presence.ownerOf(to)
      for (const seat of to === 0 ? this.#seats : one ? [one] : [])
        if (seat !== from && hears(seat)) this.#tell(seat, ({ member }) => member.onTrace?.(name, bytes))
    })
  }

  tellFailing(failing: boolean): void {
    for (const seat of this.#seats) this.#tell(seat, ({ member }) => member.onStore(failing))
  }

  tellRole(seat: Seat): void {
    this.#tell(seat, ({ member, role }) => member.onRole(role))
  }

  /** What is one member's fault is not the room's, nor anybody else's. */
  #tell(seat: Seat, run: (seat: Seat) => void): void {
    try {
      run(seat)
    } catch (error) {
      seat.seated = false
      this.#parts.onMemberFailed(seat, error)
    }
  }

  #tellWhoIsHere(seat: Seat): void {
    const others = this.#presence.others(seat)
    this.#tell(seat, ({ member }) => member.onWholePresence(others))
  }

  #tellOthers(from: Seat, presence: Uint8Array | null): void {
    if (!presence) return
    this.#telling.behind(() => {
      for (const seat of this.#seats)
        if (seat !== from && hears(seat)) this.#tell(seat, ({ member }) => member.onPresence(presence))
    })
  }

  #tellChanges(edits: readonly Told[]): void {
    const updates = edits.map(({ update }) => update)
    const all = this.#share(updates)
    const own = indicesByAuthor(edits)
    for (const seat of this.#seats) {
      if (!hears(seat)) continue
      const indices = own.get(seat)
      const others = indices ? all.without(indices) : all
      if (!others) continue
      this.#tell(seat, ({ member }) => {
        if (!member.onChange(others)) seat.heard = this.stateVector
      })
    }
    for (const { clocks } of edits) for (const [client, clock] of clocks) this.#told.set(client, clock)
  }

  #share(updates: readonly Uint8Array[]): SharedUpdates {
    try {
      return SharedUpdates.of(updates, Y.mergeUpdates)
    } catch (error) {
      this.#parts.onMergeFailed(error)
      return SharedUpdates.of(updates)
    }
  }
}

const hears = ({ seated, heard }: Seat): boolean => seated && heard === null

function indicesByAuthor(edits: readonly Told[]): ReadonlyMap<Seat, number[]> {
  const byAuthor = new Map<Seat, number[]>()
  edits.forEach(({ author }, index) => {
    if (!author) return
    const own = byAuthor.get(author)
    if (own) own.push(index)
    else byAuthor.set(author, [index])
  })
  return byAuthor
}
