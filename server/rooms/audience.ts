/**
 * Who is in a room, and what each of them is told: a first state, others' edits, who else is here, how the store fares. Nobody
 * hears an edit twice, and nobody their own. Whoever calls says what is on disk; knows neither the text nor the store.
 */
import * as Y from 'yjs'
import { SharedUpdates } from '../../lib/protocol/shared.ts'
import type { Principal, Role } from '../access/principal.ts'
import type { Clocks } from './check-update.ts'
import { RoomPresence, stampOf } from './room-presence.ts'
import type { Member } from './rooms.ts'
import { Telling } from './telling.ts'

export interface Seat {
  readonly member: Member
  readonly principal: Principal
  readonly session: string
  readonly token: string
  role: Role
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

export class Audience {
  readonly #seats = new Set<Seat>()
  readonly #presence = new RoomPresence<Seat>(({ principal }) => stampOf(principal))
  readonly #telling = new Telling<Told>((edits) => this.#tellChanges(edits))
  /** The state vector of what is on disk and was told. */
  readonly #told: Map<number, number>

  constructor(told: Clocks) {
    this.#told = new Map(told)
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
    if (wasHere) this.#tellOthers(seat, this.#presence.leave(seat))
    return wasHere
  }

  /** @param state Asked for once all that was told before it is out. */
  tellState(seat: Seat, state: () => FirstState): void {
    if (!this.#seats.has(seat)) return
    this.#telling.now()
    seat.seated = true
    seat.heard = null
    seat.member.onState({ role: seat.role, ...state() })
    this.#tellWhoIsHere(seat)
  }

  /** @param heard What it lagged behind when the updates were made. */
  tellCaughtUp(seat: Seat, heard: Uint8Array, updates: readonly Uint8Array[]): void {
    if (!this.#seats.has(seat) || seat.heard !== heard) return
    this.#telling.now()
    seat.heard = null
    for (const update of updates) seat.member.onCaughtUp(update)
    this.#tellWhoIsHere(seat)
  }

  /** Told with the others of the same turn, when `flush` ends it. */
  addEdit(edit: Told): void {
    this.#telling.add(edit)
  }

  flush(): void {
    this.#telling.now()
  }

  /** As the others hear it, null when there is nothing new. @throws {RoomRefusal} for bytes that do not decode. */
  hearPresence(seat: Seat, update: Uint8Array): Uint8Array | null {
    return this.#presence.hear(seat, update)
  }

  tellPresence(from: Seat, update: Uint8Array): void {
    if (this.#seats.has(from)) this.#tellOthers(from, update)
  }

  repeatPresence(seat: Seat): void {
    if (hears(seat)) this.#tellWhoIsHere(seat)
  }

  hidePresence(seat: Seat): void {
    this.#tellOthers(seat, this.#presence.leave(seat))
  }

  tellTrace(from: Seat, to: number, bytes: Uint8Array): void {
    this.#telling.behind(() => {
      const name = this.#presence.clientOf(from) // none once it has left
      if (name === undefined) return
      const one = to === 0 ? undefined : this.#presence.ownerOf(to)
      for (const seat of to === 0 ? this.#seats : one ? [one] : [])
        if (seat !== from && hears(seat)) seat.member.onTrace?.(name, bytes)
    })
  }

  tellFailing(failing: boolean): void {
    for (const { member } of this.#seats) member.onStore(failing)
  }

  #tellWhoIsHere(seat: Seat): void {
    seat.member.onPresence(this.#presence.others(seat), true)
  }

  #tellOthers(from: Seat, presence: Uint8Array | null): void {
    if (!presence) return
    this.#telling.behind(() => {
      for (const seat of this.#seats)
        if (seat !== from && hears(seat)) seat.member.onPresence(presence, false)
    })
  }

  #tellChanges(edits: readonly Told[]): void {
    const updates = edits.map(({ update }) => update)
    const all = SharedUpdates.of(updates, Y.mergeUpdates)
    const own = indicesByAuthor(edits)
    for (const seat of this.#seats) {
      if (!hears(seat)) continue
      const indices = own.get(seat)
      const others = indices ? all.without(indices) : all
      if (others && !seat.member.onChange(others)) seat.heard = this.stateVector
    }
    for (const { clocks } of edits) for (const [client, clock] of clocks) this.#told.set(client, clock)
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
