/**
 * Whose a Yjs client id is in one part of a document (A5): it belongs to the principal who used it first, and is kept for whoever
 * announces it. Where the store was restored from a backup, others may bring back what it lost, until its owner writes under it
 * again. Knows ids and principals; does not know Yjs or the store.
 */
import { strings } from '../../lib/strings/server-refusals.ts'
import type { ClientOwner, LoadedPart } from '../store/store.ts'
import { RoomRefusal } from './rooms.ts'

/** Ids that were announced and not used before their windows left: so many stay reserved, in case these come back. */
export const MAX_RESERVED = 1_000

/**
 * Behind a restore the replicas of editors are the only ones that have what the backup lacks, others' text included. Whoever may
 * write may bring it for so long: until then most windows have come back.
 */
export const RECOVERY_MS = 3 * 24 * 60 * 60 * 1000

/** Who writes under an id. */
export interface ClientWriter {
  readonly principal: string
  /**
   * Of who came by a link's token alone: everybody with that link is the same principal, so while the session that announced an id
   * is here, it is that session's. It cannot outlast the session, since a program that comes back in another one proves nothing.
   */
  readonly session?: string | undefined
}

interface Announcement {
  readonly principal: string
  /** Windows that are here with it: a window that comes back may meet its former session. */
  windows: number
}

export interface Claims {
  /** To be stored with the edit. */
  readonly claims: readonly ClientOwner[]
  /** It brings back text of others that a restore lost. */
  readonly recovers: boolean
}

const NO_CLAIMS: Claims = { claims: [], recovers: false }
const RECOVERY_WITHOUT_CLAIMS: Claims = { claims: [], recovers: true }
const UNDO_NOTHING = (): void => {}

export class ClientOwners {
  readonly #owners: Map<number, string>
  readonly #announced = new Map<number, Announcement>()
  /** In the order in which their windows left. */
  readonly #departed = new Set<number>()
  /** Of those that callers by a link announced, and are here: by which session. */
  readonly #sessions = new Map<number, string>()
  readonly #recoverable: Set<number>
  readonly #recoversUntil: number

  /** @param restoredAt When the store was restored from a backup, in ms since 1970. */
  constructor(
    { owners, recoverable }: Pick<LoadedPart, 'owners' | 'recoverable'>,
    restoredAt: number | null = null,
  ) {
    this.#owners = new Map(owners)
    this.#recoverable = new Set(recoverable)
    this.#recoversUntil = restoredAt === null ? 0 : restoredAt + RECOVERY_MS
  }

  /** Undefined where nobody used or announced it. */
  ownerOf(client: number): string | undefined {
    return this.#owners.get(client) ?? this.#announced.get(client)?.principal
  }

  isFree(client: number, { principal, session }: ClientWriter): boolean {
    const isOwner = (this.ownerOf(client) ?? principal) === principal
    return isOwner && this.#isHeldBy(client, session)
  }

  #isHeldBy(client: number, session: string | undefined): boolean {
    return this.#sessions.size === 0 || (this.#sessions.get(client) ?? session) === session
  }

  /**
   * A window is here that will write under this id: until it leaves nobody else may.
   * @param hasMore The window has text under it that is not here.
   * @throws {RoomRefusal} `taken`
   */
  announce(client: number, writer: ClientWriter, hasMore = false): void {
    if (!this.isFree(client, writer)) throw clientTakenRefusal(client)
    const { principal, session } = writer
    if (session !== undefined) this.#sessions.set(client, session)
    // What was written since the restore is not lost.
    if (hasMore && this.#isRecovering() && !this.#owners.has(client)) this.#recoverable.add(client)
    const announcement = this.#announced.get(client)
    this.#departed.delete(client)
    if (announcement) announcement.windows += 1
    else if (!this.#owners.has(client)) this.#announced.set(client, { principal, windows: 1 })
  }

  /** The window that announced it left. */
  release(client: number, { session }: ClientWriter): void {
    if (session !== undefined && this.#sessions.get(client) === session) this.#sessions.delete(client)
    const announcement = this.#announced.get(client)
    if (!announcement || --announcement.windows > 0) return
    this.#departed.add(client)
    if (this.#departed.size > MAX_RESERVED) this.#forgetOldest()
  }

  /**
   * New structs come under these ids. Each becomes the principal's by that, unless it brings back what somebody else wrote.
   * @throws {RoomRefusal} `taken` where one of them is somebody else's; then none was claimed.
   */
  claim(clients: Iterable<number>, { principal, session }: ClientWriter): Claims {
    const claims: ClientOwner[] = []
    let recovers = false
    for (const client of clients) {
      if (!this.#isHeldBy(client, session) && !this.#isRecovering()) throw clientTakenRefusal(client)
      const owner = this.ownerOf(client)
      if (owner === principal) {
        if (!this.#owners.has(client) || this.#recoverable.has(client)) claims.push({ client, principal })
      } else if (this.#isRecovering() && (owner === undefined || this.#recoverable.has(client))) {
        recovers = true
      } else if (owner === undefined) claims.push({ client, principal })
      else throw clientTakenRefusal(client)
    }
    if (claims.length === 0) return recovers ? RECOVERY_WITHOUT_CLAIMS : NO_CLAIMS // as nearly always
    return { claims, recovers }
  }

  /** The edit that claims them was accepted. Returns the undo, for one that is refused all the same, and whose claims are not stored. */
  recordClaims(claims: readonly ClientOwner[]): () => void {
    if (claims.length === 0) return UNDO_NOTHING
    const undos = claims.map((claim) => this.#own(claim))
    return () => undos.forEach((undo) => undo())
  }

  #own({ client, principal }: ClientOwner): () => void {
    const announcement = this.#announced.get(client)
    const [isNew, isRecovered] = [!this.#owners.has(client), this.#recoverable.has(client)]
    this.#owners.set(client, principal)
    this.#announced.delete(client)
    this.#departed.delete(client)
    this.#recoverable.delete(client)
    return () => {
      if (isNew) this.#owners.delete(client)
      if (isRecovered) this.#recoverable.add(client)
      if (announcement) this.#announced.set(client, announcement)
    }
  }

  #isRecovering(): boolean {
    return Date.now() < this.#recoversUntil
  }

  #forgetOldest(): void {
    for (const client of this.#departed) {
      this.#departed.delete(client)
      this.#announced.delete(client)
      return
    }
  }
}

const clientTakenRefusal = (client: number): RoomRefusal =>
  new RoomRefusal({ code: 'taken', detail: strings.edit.clientTaken(client) })
