/**
 * Counts what the server holds of edits that are not on disk, and limits it: while the store fails, every window goes on writing. Past a
 * limit an edit is refused before it is read, with the time until a retry: its window keeps it as unsaved and sends it again, and nothing
 * is lost. Knows principals, document parts and bytes; does not know the store.
 */
import { serverRefusalsStrings } from '../../lib/strings/server-refusals.ts'
import { RoomRefusal } from './rooms.ts'

const KIB = 1024
const MIB = 1024 * KIB

/** What an edit of one letter takes while it waits: its place in the queue, its promises, and its item in the Y.Doc. */
export const UNSAVED_EDIT_BYTES = 3 * KIB
const RETRY_MS = 2_000
/** A principal that holds a smaller share of what all may hold goes on past that, until all hold twice as much: it only types. */
const LITTLE_SHARE = 1 / 1024

export interface UnsavedLimits {
  /** For one part of one document, in bytes, as the others. */
  readonly document: number
  /** For one principal, in all documents: a quarter of all, so that one alone stops nobody else. */
  readonly principal: number
  readonly all: number
}

/** The longest edit fits beside others, and so do the edits of 10,000 windows that press a key while the disk takes a second. */
const UNSAVED_LIMITS: UnsavedLimits = { document: 32 * MIB, principal: 32 * MIB, all: 128 * MIB }

export class UnsavedEdits {
  readonly #limits: UnsavedLimits
  readonly #documents = new Map<string, number>()
  readonly #principals = new Map<string, number>()
  #bytes = 0

  constructor(limits = UNSAVED_LIMITS) {
    this.#limits = limits
  }

  /** What is held for all edits now. */
  get bytes(): number {
    return this.#bytes
  }

  /**
   * Counts an edit until the returned function is called. One edit that is larger than a limit is admitted while nothing else is held.
   * @throws {RoomRefusal} `overloaded`, with the time until a retry.
   */
  hold(principal: string, document: string, updateBytes: number): () => void {
    const bytes = updateBytes + UNSAVED_EDIT_BYTES
    if (!this.#hasRoomFor(principal, document, bytes))
      throw new RoomRefusal({
        code: 'overloaded',
        detail: serverRefusalsStrings.room.muchUnsaved,
        retryAfterMs: RETRY_MS,
      })
    this.#add(principal, document, bytes)
    return () => this.#add(principal, document, -bytes)
  }

  #hasRoomFor(principal: string, document: string, bytes: number): boolean {
    const { all } = this.#limits
    const heldByPrincipal = this.#principals.get(principal) ?? 0
    const holdsLittle = heldByPrincipal + bytes <= all * LITTLE_SHARE
    const fits = (held: number, limit: number): boolean => held === 0 || held + bytes <= limit
    return (
      fits(this.#documents.get(document) ?? 0, this.#limits.document) &&
      fits(heldByPrincipal, this.#limits.principal) &&
      fits(this.#bytes, holdsLittle ? 2 * all : all)
    )
  }

  #add(principal: string, document: string, bytes: number): void {
    this.#bytes += bytes
    addTo(this.#documents, document, bytes)
    addTo(this.#principals, principal, bytes)
  }
}

function addTo(sums: Map<string, number>, key: string, bytes: number): void {
  const sum = (sums.get(key) ?? 0) + bytes
  if (sum === 0) sums.delete(key)
  else sums.set(key, sum)
}
