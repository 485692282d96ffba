/**
 * Knows who owns each Yjs client id in one part of a document (A5): the principal that used it first. An announced id is reserved
 * for whoever announced it, here or at another node. After a restore from a backup, others may bring back lost text of an id until its owner writes under it
 * again. Knows ids and principals; does not know Yjs or the store.
 */
import { serverRefusalsStrings } from '../../lib/strings/server-refusals.ts'
import type { ClientOwner, LoadedPart } from '../store/store.ts'
import type { ClientReservations } from './client-reservations.ts'
import { RoomRefusal } from './rooms.ts'

/** How many ids stay reserved that were announced but not used before their windows left, in case the windows come back. */
export const MAX_RESERVED = 1_000

/**
 * After a restore only the replicas of editors have what the backup lacks, text of others included. Whoever may write may bring it
 * back for this long, in which most windows come back.
 */
export const RECOVERY_MS = 3 * 24 * 60 * 60 * 1000

/** A writer under a client id. */
export interface ClientWriter {
  readonly principal: string
  /**
   * Set for a writer that has only a share link's token. Everybody with that link is the same principal, so an announced id belongs
   * to its window while that is here. A window is known again by its former session's secret (session-ids.ts); the id does not outlast
   * its sessions, since a program that comes without one cannot prove who it is.
   */
  readonly window?: string | undefined
}

interface WindowHold {
  readonly window: string
  /** How many members of that window use the id now. */
  members: number
}

interface Announcement {
  readonly principal: string
  /** How many windows use the id now: a window that comes back may overlap with its former session. */
  windows: number
}

export interface Claims {
  /** These are stored with the edit. */
  readonly claims: readonly ClientOwner[]
  /** True if the edit brings back text of others that a restore lost. */
  readonly recovers: boolean
}

export const NO_CLAIMS: Claims = { claims: [], recovers: false }
const RECOVERY_WITHOUT_CLAIMS: Claims = { claims: [], recovers: true }
const UNDO_NOTHING = (): void => {}

export class ClientOwners {
  readonly #owners: Map<number, string>
  readonly #announced = new Map<number, Announcement>()
  /** Reserved ids without a window, in the order in which the windows left. */
  readonly #departed = new Set<number>()
  /** The window of each id that a writer with only a link's token announced and still uses. */
  readonly #holds = new Map<number, WindowHold>()
  readonly #reservations: ClientReservations | null
  readonly #recoverable: Set<number>
  readonly #recoversUntil: number

  /**
   * @param restoredAt The time at which the store was restored from a backup, in ms since 1970.
   * @param reservations What windows of other nodes have announced. What was announced here comes first: where two nodes reserve one id
   * in the same moment, the database decides.
   */
  constructor(
    { owners, recoverable }: Pick<LoadedPart, 'owners' | 'recoverable'>,
    restoredAt: number | null = null,
    reservations: ClientReservations | null = null,
  ) {
    this.#reservations = reservations
    this.#owners = new Map(owners)
    this.#recoverable = new Set(recoverable)
    this.#recoversUntil = restoredAt === null ? 0 : restoredAt + RECOVERY_MS
  }

  /** Undefined if nobody used or announced the id. */
  ownerOf(client: number): string | undefined {
    return this.#owners.get(client) ?? this.#announced.get(client)?.principal
  }

  isFree(client: number, writer: ClientWriter): boolean {
    const isOwner = (this.#ownerFor(client, writer) ?? writer.principal) === writer.principal
    return isOwner && this.#isHeldBy(client, writer)
  }

  /** A window of another node comes before one that has left this node, and after one that is here. */
  #ownerFor(client: number, writer: ClientWriter): string | undefined {
    const isElsewhere = !this.#owners.has(client) && !this.#announced.get(client)?.windows
    const reservation = isElsewhere ? this.#reservations?.find(client, writer) : undefined
    return reservation?.principal ?? this.ownerOf(client)
  }

  /** Of those who share a link's token, the window that announced an id has it, here or at another node. */
  #isHeldBy(client: number, writer: ClientWriter): boolean {
    const hold = this.#holds.get(client)
    if (hold) return hold.window === writer.window
    const reservation = this.#reservations?.find(client, writer)
    return reservation?.principal !== writer.principal || reservation.window === writer.window
  }

  /**
   * A window will write under this id, and nobody else may until it leaves.
   * @param hasMore The window has text under this id that the server lacks.
   * @throws {RoomRefusal} `taken`
   */
  announce(client: number, writer: ClientWriter, hasMore = false): void {
    if (!this.isFree(client, writer)) throw clientTakenRefusal(client)
    const { principal, window } = writer
    this.#hold(client, window)
    // An id that was used since the restore has lost nothing.
    if (hasMore && this.#isRecovering() && !this.#owners.has(client)) this.#recoverable.add(client)
    const announcement = this.#announced.get(client)
    this.#departed.delete(client)
    if (announcement?.principal === principal) announcement.windows += 1
    else if (!this.#owners.has(client)) this.#announced.set(client, { principal, windows: 1 })
    this.#reservations?.reserve({ client, principal, window, hasMore: this.#recoverable.has(client) })
  }

  #hold(client: number, window: string | undefined): void {
    if (window === undefined) return
    const hold = this.#holds.get(client)
    if (hold) hold.members += 1
    else this.#holds.set(client, { window, members: 1 })
  }

  /** The window that announced the id left. */
  release(client: number, { window }: ClientWriter): void {
    this.#reservations?.release(client)
    const hold = this.#holds.get(client)
    if (hold && hold.window === window && --hold.members === 0) this.#holds.delete(client)
    const announcement = this.#announced.get(client)
    if (!announcement || --announcement.windows > 0) return
    this.#departed.add(client)
    if (this.#departed.size > MAX_RESERVED) this.#forgetOldest()
  }

  /**
   * Checks an edit with new structs under these ids. The principal claims each id, unless the edit brings back what somebody else
   * wrote. @throws {RoomRefusal} `taken` if one of them is somebody else's; then none was claimed.
   */
  claim(clients: Iterable<number>, writer: ClientWriter): Claims {
    const { principal } = writer
    const claims: ClientOwner[] = []
    let recovers = false
    for (const client of clients) {
      if (!this.#isHeldBy(client, writer) && !this.#isRecovering()) throw clientTakenRefusal(client)
      const owner = this.#ownerFor(client, writer)
      if (owner === principal) {
        if (!this.#owners.has(client) || this.#recoverable.has(client)) claims.push({ client, principal })
      } else if (this.#isRecovering() && (owner === undefined || this.#isRecoverable(client, writer))) {
        recovers = true
      } else if (owner === undefined) claims.push({ client, principal })
      else throw clientTakenRefusal(client)
    }
    if (claims.length === 0) return recovers ? RECOVERY_WITHOUT_CLAIMS : NO_CLAIMS // the usual case
    return { claims, recovers }
  }

  /**
   * Claims an id for whoever wrote under it in another document that began as this one did. Returns no claim if it is theirs already.
   * @param hasText Whether the document has text under the id. @throws {RoomRefusal} `taken`
   */
  claimOne(client: number, writer: ClientWriter, hasText: boolean): ClientOwner[] {
    if (!this.#isHeldBy(client, writer)) throw clientTakenRefusal(client)
    const owner = this.#ownerFor(client, writer)
    const { principal } = writer
    if (owner === undefined ? hasText : owner !== principal) throw clientTakenRefusal(client)
    return this.#owners.has(client) ? [] : [{ client, principal }]
  }

  /** Records the claims of an accepted edit. Returns the undo, for an edit that is refused later and so never stored. */
  recordClaims(claims: readonly ClientOwner[]): () => void {
    if (claims.length === 0) return UNDO_NOTHING
    const undos = claims.map((claim) => this.#own(claim))
    return () => undos.forEach((undo) => undo())
  }

  /** Takes over what the store knows of these ids: another node stored it. */
  learn(owners: ReadonlyMap<number, string>): void {
    for (const [client, principal] of owners) {
      this.#owners.set(client, principal)
      this.#announced.delete(client)
      this.#departed.delete(client)
    }
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

  #isRecoverable(client: number, writer: ClientWriter): boolean {
    return this.#recoverable.has(client) || this.#reservations?.find(client, writer)?.hasMore === true
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
  new RoomRefusal({ code: 'taken', detail: serverRefusalsStrings.edit.clientTaken(client) })
