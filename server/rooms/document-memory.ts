/**
 * Bounds what all documents of the process take in memory: their stored bytes, and their Y.Docs by estimate. Over the budget, Y.Docs
 * that nobody edits are dropped, also while members stay: the text stays as it is stored. Then those of whoever holds more than twice
 * as much as the one who asks; and then what is large is refused for a while.
 *
 * A document counts for each principal that has it open, whole: who divided it with others, or wrote into somebody else's, would hold
 * more for the same price. Nobody gets around it by leaving: what nobody has open goes first. Knows sizes and principals; does not know
 * Yjs.
 */
import { MAX_DOCUMENT_BYTES, MAX_DOCUMENT_MEMORY } from '../../lib/protocol/limits.ts'
import { serverRefusalsStrings } from '../../lib/strings/server-refusals.ts'
import { FairQueue } from '../fair-queue.ts'
import { ServerCounts } from '../metrics/server-counts.ts'
import { RoomRefusal } from './rooms.ts'

const MIB = 1024 * 1024
/** With it, the process with threads that read and merge texts stays within 1.5 GiB. */
const DOCUMENT_MEMORY_MIB = 384
/** One document at its limits, with its snapshot packed beside: whoever opens it may always write in it. */
const MIN_SHARE_BYTES = MAX_DOCUMENT_MEMORY + 2 * MAX_DOCUMENT_BYTES
/** Less than this is never refused for what others hold: a document of some pages always opens. */
const SMALL_BYTES = MIB
/** A Y.Doc is idle when nobody has edited for so long. */
const IDLE_MS = 10_000
const RETRY_AFTER_MS = 2_000
/** Each load holds all of a stored document beside what is counted. */
const LOADS_AT_ONCE = 4

export interface DocumentMemoryOptions {
  readonly limitBytes?: number
  /** What one principal may have open. */
  readonly shareBytes?: number
  readonly counts?: ServerCounts
  /** Milliseconds of a clock that never goes back. */
  readonly now?: () => number
}

export class DocumentMemory {
  readonly #limitBytes: number
  readonly #shareBytes: number
  readonly #counts: ServerCounts
  readonly #now: () => number
  readonly #accounts = new Set<MemoryAccount>()
  readonly #accountsOf = new Map<string, Set<MemoryAccount>>()
  readonly #loads = new FairQueue(LOADS_AT_ONCE)
  #bytes = 0
  /** `#bytes` when Y.Docs were last looked for that can be dropped. */
  #searchedAtBytes = 0

  constructor(options: DocumentMemoryOptions = {}) {
    const { limitBytes = DOCUMENT_MEMORY_MIB * MIB, counts = new ServerCounts() } = options
    const { now = () => performance.now() } = options
    this.#counts = counts
    this.#limitBytes = limitBytes
    this.#shareBytes = options.shareBytes ?? Math.max(limitBytes / 2, MIN_SHARE_BYTES)
    this.#now = now
  }

  /** What all documents take, by estimate. */
  get bytes(): number {
    return this.#bytes
  }

  /** True if what nobody has open should be closed at once. */
  get isShort(): boolean {
    return this.#bytes > this.#limitBytes
  }

  /** Loads a document part in its turn. */
  load<Loaded>(document: string, run: () => Promise<Loaded>): Promise<Loaded> {
    return this.#loads.run(document, run)
  }

  /** Opens the account of a part that is being loaded. */
  open(): MemoryAccount {
    const account = new MemoryAccount()
    this.#accounts.add(account)
    return account
  }

  close(account: MemoryAccount): void {
    this.record(account, 0, 0)
    this.#accounts.delete(account)
    for (const principal of account.members.keys()) this.#forget(account, principal)
  }

  addMember(account: MemoryAccount, principal: string): void {
    account.members.set(principal, (account.members.get(principal) ?? 0) + 1)
    this.#accountsOf.set(principal, this.#openedBy(principal).add(account))
  }

  removeMember(account: MemoryAccount, principal: string): void {
    const left = (account.members.get(principal) ?? 0) - 1
    if (left > 0) account.members.set(principal, left)
    else this.#forget(account, principal)
  }

  /** Ignores a closed account: work for a room may end after it. */
  record(account: MemoryAccount, storedBytes: number, docBytes: number): void {
    if (!this.#accounts.has(account)) return
    this.#bytes += storedBytes + docBytes - account.bytes
    account.storedBytes = storedBytes
    account.docBytes = docBytes
  }

  /** Somebody edits the part. */
  recordEdit(account: MemoryAccount): void {
    account.editedAt = this.#now()
  }

  /**
   * Lets a principal open a part, or add so many bytes to its Y.Doc. Drops Y.Docs where that helps.
   * @throws {RoomRefusal} `overloaded`
   */
  admit(account: MemoryAccount, principal: string, bytes = 0): void {
    if (this.#bytes + bytes <= Math.min(this.#shareBytes, this.#limitBytes)) return
    this.#admitToShare(account, principal, bytes)
    this.#admitToAll(account, principal, bytes)
  }

  /** What one principal has open is within its share, or else its idle Y.Docs are dropped. @throws {RoomRefusal} */
  #admitToShare(account: MemoryAccount, principal: string, bytes: number): void {
    const own = this.#openedBy(principal)
    const more = bytes + (own.has(account) ? 0 : account.bytes)
    const fits = (): boolean => this.#heldBy(principal) + more <= this.#shareBytes
    if (fits()) return
    this.#dropUntil(fits, this.#idleDocs(own, account))
    if (!fits()) this.#refuse(serverRefusalsStrings.room.personMemory(Math.floor(this.#shareBytes / MIB)))
  }

  /** @throws {RoomRefusal} */
  #admitToAll(account: MemoryAccount, principal: string, bytes: number): void {
    const fits = (): boolean => this.#bytes + bytes <= this.#limitBytes
    const isSmall = account.bytes + bytes <= SMALL_BYTES
    if (fits() || (isSmall && this.#bytes - this.#searchedAtBytes < SMALL_BYTES)) return
    this.#dropUntil(fits, this.#idleDocs(this.#accounts, account))
    if (!fits()) this.#dropUntil(fits, this.#docsOfRicher(account, 2 * (this.#heldBy(principal) + bytes)))
    this.#searchedAtBytes = this.#bytes
    if (!fits() && !isSmall) this.#refuse(serverRefusalsStrings.room.serverMemory)
  }

  #dropUntil(fits: () => boolean, candidates: readonly MemoryAccount[]): void {
    for (const account of candidates) {
      if (fits()) return
      account.dropDoc()
      if (account.docBytes === 0) this.#counts.droppedDocs += 1
    }
  }

  /** The dearest first, and before all what nobody has open. */
  #idleDocs(accounts: ReadonlySet<MemoryAccount>, asking: MemoryAccount): MemoryAccount[] {
    const idleSince = this.#now() - IDLE_MS
    return [...accounts]
      .filter((account) => account !== asking && account.docBytes > 0)
      .filter(({ members, editedAt }) => members.size === 0 || editedAt < idleSince)
      .sort((a, b) => Math.min(a.members.size, 1) - Math.min(b.members.size, 1) || b.docBytes - a.docBytes)
  }

  /** Documents that only principals have open who hold more than so many bytes; those of whom who hold most come first. */
  #docsOfRicher(asking: MemoryAccount, bytes: number): MemoryAccount[] {
    return [...this.#accounts]
      .filter((account) => account !== asking && account.docBytes > 0)
      .map((account) => ({ account, held: this.#leastHeldBy(account) }))
      .filter(({ held }) => held > bytes)
      .sort((a, b) => b.held - a.held || b.account.docBytes - a.account.docBytes)
      .map(({ account }) => account)
  }

  #leastHeldBy({ members }: MemoryAccount): number {
    return Math.min(...Array.from(members.keys(), (principal) => this.#heldBy(principal)))
  }

  #heldBy(principal: string): number {
    let bytes = 0
    for (const account of this.#accountsOf.get(principal) ?? []) bytes += account.bytes
    return bytes
  }

  #refuse(detail: string): never {
    this.#counts.memoryRefusals += 1
    throw new RoomRefusal({ code: 'overloaded', detail, retryAfterMs: RETRY_AFTER_MS })
  }

  #openedBy(principal: string): Set<MemoryAccount> {
    return this.#accountsOf.get(principal) ?? new Set()
  }

  #forget(account: MemoryAccount, principal: string): void {
    account.members.delete(principal)
    const accounts = this.#openedBy(principal)
    accounts.delete(account)
    if (accounts.size === 0) this.#accountsOf.delete(principal)
  }
}

/** What one document part takes, and who has it open. */
export class MemoryAccount {
  /** How many members each principal has in it. */
  readonly members = new Map<string, number>()
  storedBytes = 0
  docBytes = 0
  editedAt = -Infinity
  /** Drops the Y.Doc and records it, unless it is in use. */
  dropDoc = (): void => {}

  get bytes(): number {
    return this.storedBytes + this.docBytes
  }
}
