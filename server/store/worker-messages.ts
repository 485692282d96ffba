/** The messages between the main thread and the worker that owns the connection: one answer to each request. */
import type { PackedLoadedPart } from './batch.ts'
import type { DocumentPart } from './store.ts'

/** What the last transaction of a snapshot writes. */
export interface SnapshotHead {
  /** All of the state, or its first piece. */
  readonly bytes: Uint8Array<ArrayBuffer>
  /** CRC-32 of the whole state. */
  readonly checksum: number
  /** Null where there is one piece. */
  readonly further: { readonly snapshot: string; readonly count: number } | null
}

export interface WorkerCommands {
  open: { attached?: string | undefined }
  append: {
    /** `packBatch` made it. */
    batch: Uint8Array
    /** True when an answer was lost before: edits that the log has are not written again. */
    mayBeStored: boolean
  }
  load: { document: string; part: DocumentPart }
  'write piece': { document: string; part: DocumentPart; snapshot: string; piece: number; bytes: Uint8Array }
  compact: {
    document: string
    part: DocumentPart
    head: SnapshotHead
    sequence: number
    stateVector: Uint8Array | undefined
  }
  'remove unused pieces': { document: string; part: DocumentPart }
  check: object
  begin: { transaction: number }
  query: { sql: string; parameters: readonly unknown[]; transaction: number | undefined }
  commit: { transaction: number }
  rollback: { transaction: number }
  close: object
}

export interface WorkerResults {
  open: void
  /** For each call its sequence numbers, or why nothing of it was written. */
  append: (number[] | SerializedError)[]
  load: PackedLoadedPart
  'write piece': void
  compact: void
  /** So many pieces were removed. */
  'remove unused pieces': number
  check: void
  begin: void
  query: { rows: unknown[]; changes: number | bigint; lastInsertRowid: number | bigint }
  commit: void
  rollback: void
  close: void
}

export type CommandKind = keyof WorkerCommands
export type WorkerCommand = { [K in CommandKind]: { kind: K } & WorkerCommands[K] }[CommandKind]
export type WorkerRequest = { id: number } & WorkerCommand
export type WorkerReply =
  { id: number; value: WorkerResults[CommandKind] } | { id: number; failure: SerializedError }

/** An error without its stack. Structured clone alone would drop SQLite's code. */
export interface SerializedError {
  readonly message: string
  /** SQLite's extended result code, https://sqlite.org/rescode.html; absent when the error is not SQLite's. */
  readonly errcode?: number
  /** The Yjs client ids under which another node wrote first. */
  readonly conflictingClients?: readonly number[]
}
