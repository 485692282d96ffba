/** The conversation between the main thread and the worker that owns the connection: one answer to each request. */
import type { Batch, PackedLoaded } from './batch.ts'
import type { Part } from './store.ts'

export interface Commands {
  open: object
  append: {
    batch: Batch
    /** Its answer was lost once: what the log holds of it is not written again. */
    mayBeThere: boolean
  }
  load: { document: string; part: Part }
  compact: {
    document: string
    part: Part
    snapshot: Uint8Array
    sequence: number
    stateVector: Uint8Array | undefined
  }
  check: object
  begin: { transaction: number }
  query: { sql: string; parameters: readonly unknown[]; transaction: number | undefined }
  commit: { transaction: number }
  rollback: { transaction: number }
  close: object
}

export interface Answers {
  open: void
  /** Of each call the sequence numbers, or why nothing of it was written. */
  append: (number[] | Failure)[]
  load: PackedLoaded
  compact: void
  check: void
  begin: void
  query: { rows: unknown[]; changes: number | bigint; lastInsertRowid: number | bigint }
  commit: void
  rollback: void
  close: void
}

export type Kind = keyof Commands
export type Command = { [K in Kind]: { kind: K } & Commands[K] }[Kind]
export type Request = { id: number } & Command
export type Reply = { id: number; value: Answers[Kind] } | { id: number; failure: Failure }

/** An error, less its stack: structured clone would drop SQLite's code. */
export interface Failure {
  readonly message: string
  /** SQLite's extended result code, https://sqlite.org/rescode.html; absent when the error is not SQLite's. */
  readonly errcode?: number
}
