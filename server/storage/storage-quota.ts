/**
 * Limits the bytes that are stored for a person: of the documents that they own, versions and trash included, and of their desk. Only
 * what grows is refused. The sum stands in the store (`document-sizes.ts`); of owners whose documents are open it is kept in memory, so
 * that a room can ask for each edit:
 *
 *   open ─▶ read ─▶ + what rooms write ─▶ read again every 30 s, or every 2 s near the limit, and when somebody joins a full document
 *
 * Knows owners and bytes; does not know what the bytes hold.
 */
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import { storageStrings } from '../../lib/strings/storage.ts'
import { findPrincipalNames } from '../access/principal-names.ts'
import { FairQueue } from '../fair-queue.ts'
import { RoomRefusal } from '../rooms/rooms.ts'
import { readBytesOf } from '../store/document-sizes.ts'
import type { Database } from '../store/schema.ts'
import type { DocumentPart } from '../store/store.ts'
import type { ServerSpace } from './server-space.ts'

/** What deletions may still take of a full space: an edit that only deletes has a few bytes for each place. */
const DELETION_RESERVE_BYTES = 4 * 1024 * 1024
/** What automatic versions may still take: two of the largest. Text that is deleted in a full space can be had back. */
const VERSION_RESERVE_BYTES = 48 * 1024 * 1024
const READ_INTERVAL_MS = 30_000
const READ_INTERVAL_NEAR_LIMIT_MS = 2_000
const RETRY_AFTER_MS = 15_000

/** From here on people are told, and the sum is read more often. */
const isNearLimit = (usedBytes: number, limitBytes: number): boolean => usedBytes >= limitBytes * 0.8

export interface StorageUsage {
  readonly usedBytes: number
  /** Null for no limit. */
  readonly limitBytes: number | null
  readonly serverHasRoom: boolean
  /** Whether people are told without asking. */
  readonly isNearlyFull: boolean
}

/** Something that would be stored does not fit. */
export class NoSpace extends Error {
  override readonly name = 'NoSpace'
}

interface StorageQuotaOptions {
  readonly db: Kysely<Database>
  readonly log: Logger
  /** The limit of each person; null for none. */
  readonly personBytes: number | null
  readonly server: ServerSpace
}

export class StorageQuota {
  readonly #options: StorageQuotaOptions
  /** Those whose documents are open. */
  readonly #owners = new Map<string, OwnerSpace>()
  readonly #turns = new FairQueue(Infinity)
  readonly #versionTurns = new FairQueue(Infinity)

  constructor(options: StorageQuotaOptions) {
    this.#options = options
  }

  /** @param owner `Principal.id`. */
  async usageOf(owner: string): Promise<StorageUsage> {
    const { db, personBytes: limitBytes, server } = this.#options
    const usedBytes = await readBytesOf(db, owner)
    const serverHasRoom = server.hasRoom(0)
    const isNearlyFull = !serverHasRoom || (limitBytes !== null && isNearLimit(usedBytes, limitBytes))
    return { usedBytes, limitBytes, serverHasRoom, isNearlyFull }
  }

  /**
   * Stores so many more bytes in the owner's turn: what they ask for at once is each checked against what was stored before.
   * @param writer Whoever asks for it, and is told no figures of somebody else's space.
   * @throws {NoSpace} if it does not fit, and whatever `run` throws.
   */
  store<Answer>(
    owner: string,
    bytes: number,
    run: () => Promise<Answer>,
    writer: string = owner,
  ): Promise<Answer> {
    return this.#turns.run(owner, async () => {
      await this.#requireRoom(owner, bytes, writer)
      return run()
    })
  }

  async #requireRoom(owner: string, bytes: number, writer: string): Promise<void> {
    const { usedBytes, limitBytes, serverHasRoom } = await this.usageOf(owner)
    if (!serverHasRoom || !this.#options.server.hasRoom(bytes)) throw new NoSpace(storageStrings.serverFull)
    if (limitBytes === null || usedBytes + bytes <= limitBytes) return
    if (writer === owner) throw new NoSpace(storageStrings.yoursFull(usedBytes, limitBytes))
    const names = await findPrincipalNames(this.#options.db, [owner])
    throw new NoSpace(storageStrings.othersFull(names.get(owner) ?? storageStrings.somebody))
  }

  /** Whether a version fits, which counts for the owner of its document. @param isNamed False for an automatic version. */
  async hasRoomForVersion(document: string, isNamed: boolean): Promise<boolean> {
    return this.#hasRoomForVersion(await findOwner(this.#options.db, document), isNamed, 0)
  }

  /**
   * Stores a version of so many bytes in its owner's turn. The turns are not those of `store`: a copy waits there for a merge, and whoever
   * makes a version has that. Returns null if it does not fit.
   */
  async storeVersion<Answer>(
    version: { readonly document: string; readonly isNamed: boolean; readonly bytes: number },
    run: () => Promise<Answer>,
  ): Promise<Answer | null> {
    const owner = await findOwner(this.#options.db, version.document)
    return this.#versionTurns.run(owner ?? '', async () =>
      (await this.#hasRoomForVersion(owner, version.isNamed, version.bytes)) ? run() : null,
    )
  }

  async #hasRoomForVersion(owner: string | null, isNamed: boolean, bytes: number): Promise<boolean> {
    const { personBytes, server, db } = this.#options
    if (!server.hasRoom(bytes)) return false
    if (owner === null || personBytes === null) return true
    return (await readBytesOf(db, owner)) + bytes <= personBytes + (isNamed ? 0 : VERSION_RESERVE_BYTES)
  }

  /** What a room of this document asks before it takes an edit. A desk has a limit of its own. */
  openRoom(document: string, part: DocumentPart): RoomStorage {
    const { server } = this.#options
    if (part === 'desk') return new RoomStorage(server, Promise.resolve(null), () => {})
    let owner: OwnerSpace | null = null
    const found = this.#openOwner(document).then((space) => (owner = space))
    return new RoomStorage(server, found, () => void found.then(() => this.#closeOwner(owner)))
  }

  async #openOwner(document: string): Promise<OwnerSpace | null> {
    const { db, log, personBytes } = this.#options
    if (personBytes === null) return null
    try {
      const id = await findOwner(db, document)
      if (id === null) return null
      const owner = this.#owners.get(id) ?? new OwnerSpace(id, personBytes, db, log)
      this.#owners.set(id, owner)
      owner.rooms += 1
      await owner.read()
      return owner
    } catch (error) {
      log.warn({ document, err: error }, 'the owner of a document is unknown; their space is not limited')
      return null
    }
  }

  #closeOwner(owner: OwnerSpace | null): void {
    if (owner && --owner.rooms === 0) this.#owners.delete(owner.id)
  }
}

/** The space of one owner, as all open rooms of theirs see it. */
class OwnerSpace {
  readonly id: string
  readonly limitBytes: number
  readonly #db: Kysely<Database>
  readonly #log: Logger
  rooms = 0
  /** As the store had it, and what rooms have written since. */
  #readBytes = 0
  #addedBytes = 0
  #readAt = -Infinity
  #reading: Promise<void> | null = null
  #name = ''
  /** Since the sum was read. */
  #hasRefused = false

  constructor(id: string, limitBytes: number, db: Kysely<Database>, log: Logger) {
    this.id = id
    this.limitBytes = limitBytes
    this.#db = db
    this.#log = log
  }

  get usedBytes(): number {
    return this.#readBytes + this.#addedBytes
  }

  add(bytes: number): void {
    this.#addedBytes += bytes
  }

  hasRoom(bytes: number, reserveBytes: number): boolean {
    const age = performance.now() - this.#readAt
    if (age > (this.#isNearLimit ? READ_INTERVAL_NEAR_LIMIT_MS : READ_INTERVAL_MS)) void this.read()
    const fits = this.usedBytes + bytes <= this.limitBytes + reserveBytes
    this.#hasRefused ||= !fits
    return fits
  }

  /** Reads the sum, or waits for the reading under way. Never rejects. */
  read(): Promise<void> {
    return (this.#reading ??= this.#read().finally(() => (this.#reading = null)))
  }

  get hasRefused(): boolean {
    return this.#hasRefused
  }

  /** @param writer Whoever is told so. */
  fullSentence(writer: string): string {
    return writer === this.id
      ? storageStrings.yoursFull(this.usedBytes, this.limitBytes)
      : storageStrings.othersFull(this.#name || storageStrings.somebody)
  }

  get #isNearLimit(): boolean {
    return this.#hasRefused || isNearLimit(this.usedBytes, this.limitBytes)
  }

  async #read(): Promise<void> {
    const addedBefore = this.#addedBytes
    this.#hasRefused = false
    this.#readAt = performance.now()
    try {
      this.#readBytes = await readBytesOf(this.#db, this.id)
      this.#addedBytes -= addedBefore
      this.#name = (await findPrincipalNames(this.#db, [this.id])).get(this.id) ?? ''
    } catch (error) {
      this.#log.warn({ principal: this.id, err: error }, 'the bytes of a person are unknown')
    }
  }
}

/** What one room asks and says of its owner's space. Until the owner is known it takes everything. */
export class RoomStorage {
  readonly #server: ServerSpace
  readonly #found: Promise<OwnerSpace | null>
  #owner: OwnerSpace | null = null
  readonly close: () => void

  constructor(server: ServerSpace, found: Promise<OwnerSpace | null>, close: () => void) {
    this.#server = server
    this.#found = found
    this.close = close
    void found.then((owner) => (this.#owner = owner))
  }

  /** @param bytes Negative for an edit that was refused after it was counted. */
  add(bytes: number): void {
    this.#server.add(bytes)
    this.#owner?.add(bytes)
  }

  /**
   * @param writer `Principal.id`. @param bringsContent False for an edit that only deletes.
   * @throws {RoomRefusal} `full`, upon which a window keeps the edit and sends it again later.
   */
  check(writer: string, bytes: number, bringsContent: boolean): void {
    if (bringsContent && !this.#server.hasRoom(bytes)) throw full(storageStrings.serverFull)
    if (this.#owner?.hasRoom(bytes, bringsContent ? 0 : DELETION_RESERVE_BYTES) === false)
      throw full(this.#owner.fullSentence(writer))
  }

  /** Whoever joins a document whose owner's space was full finds out whether something was deleted meanwhile. */
  async refreshIfFull(): Promise<void> {
    const owner = await this.#found
    if (owner?.hasRefused) await owner.read()
  }
}

const full = (detail: string) => new RoomRefusal({ code: 'full', detail, retryAfterMs: RETRY_AFTER_MS })

async function findOwner(db: Kysely<Database>, document: string): Promise<string | null> {
  const row = await db.selectFrom('documents').select('owner').where('id', '=', document).executeTakeFirst()
  return row?.owner ?? null
}
