/**
 * The durable log of every document (D1, D2, D5, D8): one interface, one contract suite over each implementation.
 * Knows bytes and order; does not know Yjs rooms, sessions or people.
 */

/**
 * A document has parts that are edited apart from each other: its body, and its comments. A desk is a person's: what stands for
 * its document is a name that no document has.
 */
export type DocumentPart = 'body' | 'comments' | 'desk'

/** A Yjs client id, and who used it first in a document part (A5). */
export interface ClientOwner {
  readonly client: number
  /** `Principal.id`, or `SERVER_OWNER`. */
  readonly principal: string
}

/** Owns the client ids of what the server writes by itself. No principal has this id: theirs have a colon. */
export const SERVER_OWNER = 'server'

export interface DocumentEdit {
  readonly document: string
  readonly part: DocumentPart
  /** A Yjs update, encoding V1, already checked. */
  readonly update: Uint8Array
  /** Who wrote it, by which session and message number, and with which Yjs client ids. */
  readonly principal: string
  readonly session: string
  readonly number: number
  readonly clients: readonly number[]
  /**
   * Client ids that nobody had used before this edit. They are stored with it. An owner that
   * is known already stays; where it is the same, nothing of its text is recoverable any more.
   */
  readonly claims?: readonly ClientOwner[]
}

export interface LoadedPart {
  /** A snapshot, when there is one, then the log behind it, in commit order: all Yjs updates V1. */
  readonly updates: readonly Uint8Array[]
  /** Of each client id that somebody has claimed, whose it is. */
  readonly owners?: ReadonlyMap<number, string> | undefined
  /** Those of them whose text a restore may have lost: their owners have written nothing under them since. */
  readonly recoverable?: ReadonlySet<number> | undefined
  /** What was stored beside the snapshot. */
  readonly stateVector?: Uint8Array | undefined
  /** Sequence number of the last entry contained; 0 for an empty document. */
  readonly sequence: number
  /** Entries behind the snapshot: the measure for compaction. */
  readonly logLength: number
}

export interface DocumentStore {
  /**
   * Resolves when the edits are committed and synced to disk, in the order of the calls, with the sequence number of each.
   * Calls that meet in one turn share one transaction (group commit). All of a call or nothing of it.
   * @throws {StoreError} when nothing of this call was written; the caller may offer it again.
   */
  append(edits: readonly DocumentEdit[]): Promise<readonly number[]>
  /** @throws {StoreError} when it cannot be read: never an empty document in place of an unreadable one (D4). */
  load(document: string, part: DocumentPart): Promise<LoadedPart>
  /**
   * Replaces the snapshot and every log entry up to `sequence` by one snapshot, in one transaction (D5).
   * @param snapshot A Yjs update V1 that contains them all. Entries behind `sequence` stay.
   * @param stateVector Its own, so that whoever loads it need not decode it.
   * @throws {StoreError} also for a `sequence` before the snapshot that is there, or behind the log; then all is as it was.
   */
  compact(
    document: string,
    part: DocumentPart,
    snapshot: Uint8Array,
    sequence: number,
    stateVector?: Uint8Array,
  ): Promise<void>
  /** Rejects while the store cannot write. Behind GET /healthz. */
  check(): Promise<void>
  close(): Promise<void>
}

export class StoreError extends Error {
  override readonly name = 'StoreError'
}
