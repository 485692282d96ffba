/**
 * Whose a Yjs client id is in one part of a document (A5): it belongs to the principal who used it first, and is kept for whoever
 * announces it. Knows ids and principals; does not know Yjs or the store.
 */
import type { ClientOwner } from '../store/store.ts'
import { RoomRefusal } from './rooms.ts'

/** Ids that were announced and not used before their windows left: so many stay reserved, in case these come back. */
export const MAX_DEPARTED = 1_000

interface Announcement {
  readonly principal: string
  /** Windows that are here with it: a window that comes back may meet its former session. */
  windows: number
}

const NONE: readonly ClientOwner[] = []

export class ClientOwners {
  readonly #owners: Map<number, string>
  readonly #announced = new Map<number, Announcement>()
  /** In the order in which their windows left. */
  readonly #departed = new Set<number>()

  constructor(owners: ReadonlyMap<number, string> = new Map()) {
    this.#owners = new Map(owners)
  }

  /** Undefined where nobody used or announced it. */
  ownerOf(client: number): string | undefined {
    return this.#owners.get(client) ?? this.#announced.get(client)?.principal
  }

  isFree(client: number, principal: string): boolean {
    return (this.ownerOf(client) ?? principal) === principal
  }

  /** A window is here that will write under this id: until it leaves nobody else may. @throws {RoomRefusal} `taken` */
  announce(client: number, principal: string): void {
    if (!this.isFree(client, principal)) throw taken(client)
    const known = this.#announced.get(client)
    this.#departed.delete(client)
    if (known) known.windows += 1
    else if (!this.#owners.has(client)) this.#announced.set(client, { principal, windows: 1 })
  }

  /** The window that announced it left. */
  leave(client: number): void {
    const announcement = this.#announced.get(client)
    if (!announcement || --announcement.windows > 0) return
    this.#departed.add(client)
    if (this.#departed.size > MAX_DEPARTED) this.#forgetOldest()
  }

  /**
   * New structs come under these ids. Returns those that become the principal's by that, to be stored with the edit.
   * @throws {RoomRefusal} `taken` where one of them is somebody else's; then none was claimed.
   */
  claim(clients: Iterable<number>, principal: string): readonly ClientOwner[] {
    let claims: ClientOwner[] | null = null
    for (const client of clients) {
      if (!this.isFree(client, principal)) throw taken(client)
      if (!this.#owners.has(client)) (claims ??= []).push({ client, principal })
    }
    if (!claims) return NONE // as nearly always
    for (const { client } of claims) this.#own(client, principal)
    return claims
  }

  /** The edit that claimed them was refused. */
  disown(claims: readonly ClientOwner[]): void {
    for (const { client } of claims) this.#owners.delete(client)
  }

  #own(client: number, principal: string): void {
    this.#owners.set(client, principal)
    this.#announced.delete(client)
    this.#departed.delete(client)
  }

  #forgetOldest(): void {
    for (const client of this.#departed) {
      this.#departed.delete(client)
      this.#announced.delete(client)
      return
    }
  }
}

const taken = (client: number): RoomRefusal =>
  new RoomRefusal({ code: 'taken', detail: `client ${client} is somebody else's` })
