/**
 * The durable log of every document (D1, D2, D5, D8): one interface, one contract suite over each implementation. It knows bytes
 * and order; it does not know Yjs rooms, sessions or people.
 */

/**
 * A document has parts that are edited separately: its body, and its comments. A desk belongs to a person: in place of its document
 * stands a name that no document has.
 */
export const DOCUMENT_PARTS = ['body', 'comments', 'desk'] as const
export type DocumentPart = (typeof DOCUMENT_PARTS)[number]

/** A Yjs client id, and who used it first in a document part (A5). */
export interface ClientOwner {
  readonly client: number
  /** `Principal.id`, or `SERVER_OWNER`. */
  readonly principal: string
}

/** Owns the client ids of what the server writes by itself. No principal has this id, because theirs have a colon. */
export const SERVER_OWNER = 'server'

/** The clocks of one Yjs client that an edit fills: `from` is the first one, `to` the one after the last. */
export interface ClientRun {
  readonly client: number
  readonly from: number
  readonly to: number
}

export interface DocumentEdit {
  readonly document: string
  readonly part: DocumentPart
  /** A Yjs update, encoding V1, already checked. */
  readonly update: Uint8Array
  /** The principal who wrote it, with the session, message number and Yjs client ids. */
  readonly principal: string
  readonly session: string
  readonly number: number
  readonly clients: readonly number[]
  /**
   * Client ids that nobody had used before this edit, and that are stored with it. A stored owner stays; where it is the same,
   * nothing of its text is recoverable any more.
   */
  readonly claims?: readonly ClientOwner[]
  /** What the edit adds for each client id: a store of several nodes takes it only where the log ends at `from`. */
  readonly runs?: readonly ClientRun[]
}

export interface LoadedPart {
  /** The snapshot, when there is one, then the log after it, in commit order: all are Yjs updates V1. */
  readonly updates: readonly Uint8Array[]
  /** The owner of each claimed client id. */
  readonly owners?: ReadonlyMap<number, string> | undefined
  /** The client ids whose text a restore may have lost: their owners have written nothing under them since. */
  readonly recoverable?: ReadonlySet<number> | undefined
  /** The state vector that was stored with the snapshot. */
  readonly stateVector?: Uint8Array | undefined
  /** The sequence number of the last entry; 0 for an empty document. */
  readonly sequence: number
  /** The number of entries after the snapshot: the measure for compaction. */
  readonly logLength: number
}

/** What the log has after a sequence number, without a gap. */
export interface LogContinuation {
  readonly updates: readonly Uint8Array[]
  /** Who owns the client ids that these edits were written under. */
  readonly owners: ReadonlyMap<number, string>
}

export interface DocumentStore {
  /**
   * Resolves when the edits are committed and synced to disk, in the order of the calls, with the sequence number of each. Calls of
   * one turn of the event loop share one transaction (group commit). A call is written as a whole or not at all.
   * @throws {AppendConflict} when another node has written under a client id of the call: it has to be checked against what the log
   * has by now. @throws {StoreError} when nothing of this call was written; the caller may retry.
   */
  append(edits: readonly DocumentEdit[]): Promise<readonly number[]>
  /** @throws {StoreError} when the part cannot be read: an unreadable document never loads as an empty one (D4). */
  load(document: string, part: DocumentPart): Promise<LoadedPart>
  /**
   * Reads what was appended after `sequence`, by this node or another.
   * @returns null when a snapshot has replaced part of it. @throws {StoreError}
   */
  readSince(document: string, part: DocumentPart, sequence: number): Promise<LogContinuation | null>
  /**
   * Lets one node at a time merge a log, which is work and not safety: a snapshot replaces only an older one, whoever wrote it.
   * @returns Ends the claim; null while another node has it.
   */
  claimCompaction(document: string, part: DocumentPart): Promise<(() => Promise<void>) | null>
  /**
   * Replaces the snapshot and every log entry up to `sequence` by one snapshot (D5), at one moment.
   * @param snapshot A Yjs update V1 that contains them all. Entries after `sequence` stay.
   * @param stateVector The snapshot's state vector, so that loading need not decode the snapshot.
   * @throws {StoreError} also for a `sequence` before the present snapshot or after the log; then nothing changes.
   */
  compact(
    document: string,
    part: DocumentPart,
    snapshot: Uint8Array,
    sequence: number,
    stateVector?: Uint8Array,
  ): Promise<void>
  /** Rejects while the store cannot write. GET /readyz calls it. */
  check(): Promise<void>
  close(): Promise<void>
}

export class StoreError extends Error {
  override readonly name: string = 'StoreError'
}

/** Another node wrote under a client id first, or wrote the same clocks. Nothing of the call was written. */
export class AppendConflict extends StoreError {
  /** The Yjs client ids at stake. */
  readonly clients: readonly number[]

  constructor(clients: readonly number[]) {
    super(`Nothing was written: another node wrote as client ${clients.join(', ')}`)
    this.clients = clients
  }
}
