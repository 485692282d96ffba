/**
 * What a room takes in memory, by estimate: its stored text, and its Y.Doc with what was admitted to it. It stands in the room's account
 * of the budget of all documents (document-memory.ts). Knows text and principals; does not know edits.
 */
import { MAX_DOCUMENT_MEMORY } from '../../lib/protocol/limits.ts'
import type { DocumentMemory, MemoryAccount } from './document-memory.ts'
import type { RoomText } from './room-text.ts'
import { type MemoryCount, memoryBytesOf } from './memory-count.ts'

/** What a room keeps of each client id, with or without a Y.Doc: its clock, twice, and its owner. */
const CLIENT_BYTES = 160

interface RoomMemoryOptions {
  readonly budget: DocumentMemory
  readonly account: MemoryAccount
  readonly text: RoomText
  /** True while the Y.Doc is being built, or holds part of an edit. */
  isDocInUse(): boolean
  /** True if the Y.Doc can be dropped: it is built again when it is next needed. */
  mayDropDoc(): boolean
  /** Called before the Y.Doc is dropped. */
  onDropDoc(): void
}

export class RoomMemory {
  readonly #options: RoomMemoryOptions
  /** For edits that were admitted and do not count in the text yet. */
  #reservedBytes = 0

  constructor(options: RoomMemoryOptions) {
    this.#options = options
    options.account.dropDoc = () => this.#dropDoc()
  }

  /** @param principal `Principal.id`, as in the other methods. @throws {RoomRefusal} `overloaded` */
  admitMember(principal: string): void {
    this.#options.budget.admit(this.#options.account, principal)
  }

  addMember(principal: string): void {
    this.#options.budget.addMember(this.#options.account, principal)
    this.record()
  }

  removeMember(principal: string): void {
    this.#options.budget.removeMember(this.#options.account, principal)
  }

  /**
   * Lets the Y.Doc be built for an edit, or grow by it. @param count What the edit holds; null while that is not known.
   * @returns Ends the reservation: the edit counts in the text, or was refused. @throws {RoomRefusal} `overloaded`
   */
  reserve(principal: string, count: MemoryCount | null): () => void {
    const { budget, account, text } = this.#options
    const { storedBytes, docBytes } = account
    const bytes = count ? memoryBytesOf(count) : 0
    const after = bytes + (docBytes > 0 ? docBytes : Math.min(text.memoryBytes, MAX_DOCUMENT_MEMORY))
    budget.admit(account, principal, after - docBytes)
    budget.record(account, storedBytes, after)
    this.#reservedBytes += bytes
    return () => (this.#reservedBytes -= bytes)
  }

  /** Somebody edits: the Y.Doc is not idle. */
  recordEdit(): void {
    this.#options.budget.recordEdit(this.#options.account)
  }

  /** Records what the text takes now, and what is reserved beside it. */
  record(): void {
    const { budget, account, text, isDocInUse } = this.#options
    const storedBytes = text.bytes + (text.packed?.length ?? 0) + text.clocks.size * CLIENT_BYTES
    const docBytes = text.isDocBuilt || isDocInUse() ? text.memoryBytes : 0
    budget.record(account, storedBytes, docBytes + this.#reservedBytes)
  }

  close(): void {
    this.#options.budget.close(this.#options.account)
  }

  #dropDoc(): void {
    if (!this.#options.mayDropDoc()) return
    this.#options.onDropDoc()
    this.#options.text.destroy()
    this.record()
  }
}
