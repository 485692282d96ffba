/** Writes the log and its snapshots in SQL, inside the worker, with a checksum for each row and sequences without gaps (D4). */
import type { DatabaseSync } from 'node:sqlite'
import { crc32 } from 'node:zlib'
import { type LogEntryRow, unpackBatch } from './batch.ts'
import type { WorkerResults, WorkerCommands } from './worker-messages.ts'
import { serializeError } from './serialized-error.ts'
import { createSnapshotRows, type SnapshotRows } from './snapshot-rows.ts'
import type { DocumentPart } from './store.ts'

export interface DocumentLog {
  /** Writes in one transaction; a call that fails is left out and does not affect the others. Throws when nothing at all was written. */
  append(command: WorkerCommands['append']): WorkerResults['append']
  compact(command: WorkerCommands['compact']): void
  readonly snapshots: SnapshotRows
}

/** Requires the tables, because it prepares its statements at once. */
export const createDocumentLog = (db: DatabaseSync): DocumentLog => {
  const runTransaction = createTransactionRunner(db)
  const snapshots = createSnapshotRows(db)
  const insert = db.prepare(
    `insert into log (document, part, sequence, "update", checksum, principal, session, "number", clients, created_at)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const insertOwner = db.prepare(
    `insert into clients (document, part, client, principal, claimed_at) values (?, ?, ?, ?, ?)
     on conflict do update set recoverable = 0 where principal = excluded.principal`,
  )
  const selectLastSequence = db.prepare(
    `select coalesce((select max(sequence) from log where document = ?1 and part = ?2),
                     (select sequence from snapshots where document = ?1 and part = ?2), 0) as head`,
  )
  const selectSameEdit = db.prepare(
    `select sequence from log
     where document = ? and part = ? and principal = ? and session = ? and "number" = ? and checksum = ? and "update" = ?
     order by sequence desc limit 1`,
  )
  const deleteLog = db.prepare('delete from log where document = ? and part = ? and sequence <= ?')
  const addSize = db.prepare(
    `insert into document_sizes (document, part, bytes) values (?, ?, ?)
     on conflict do update set bytes = bytes + excluded.bytes`,
  )
  const renewSize = db.prepare(
    `insert into document_sizes (document, part, bytes)
     select document, part, length(state) + coalesce(length(state_vector), 0) +
       coalesce((select sum(length(bytes)) from snapshot_pieces
                 where document = ?1 and part = ?2 and snapshot = pieces), 0) +
       coalesce((select sum(length("update")) from log where document = ?1 and part = ?2), 0)
     from snapshots where document = ?1 and part = ?2
     on conflict do update set bytes = excluded.bytes`,
  )

  const lastSequenceOf = (document: string, part: DocumentPart) =>
    selectLastSequence.get(document, part)!.head as number

  const appendCall = (
    rows: readonly LogEntryRow[],
    lastSequences: Map<string, number>,
    now: number,
  ): number[] =>
    rows.map((row) => {
      const key = `${row.part} ${row.document}`
      const sequence = (lastSequences.get(key) ?? lastSequenceOf(row.document, row.part)) + 1
      const { document, part, update, principal, session, number, clients, claims } = row
      insert.run(document, part, sequence, update, crc32(update), principal, session, number, clients, now)
      addSize.run(document, part, update.length)
      for (const claim of claims) insertOwner.run(document, part, claim.client, claim.principal, now)
      lastSequences.set(key, sequence)
      return sequence
    })

  const appendAllCalls = (calls: readonly (readonly LogEntryRow[])[]): number[][] => {
    const lastSequences = new Map<string, number>()
    const now = Date.now()
    return calls.map((rows) => appendCall(rows, lastSequences, now))
  }

  const appendCalls = (calls: readonly (readonly LogEntryRow[])[]): WorkerResults['append'] => {
    try {
      return runTransaction(() => appendAllCalls(calls))
    } catch {
      return runTransaction(() => appendEachCall(calls))
    }
  }

  /** Returns the sequence numbers of edits that the log has already, byte for byte, or null when one is missing. */
  const findStoredCall = (rows: readonly LogEntryRow[]): number[] | null => {
    const sequences = rows.map((row) => {
      const { document, part, principal, session, number, update } = row
      return selectSameEdit.get(document, part, principal, session, number, crc32(update), update)?.sequence
    })
    return sequences.every((sequence) => sequence !== undefined) ? (sequences as number[]) : null
  }

  /** Does the same with a savepoint for each call, which takes longer, and leaves out the calls that fail. */
  const appendEachCall = (calls: readonly (readonly LogEntryRow[])[]): WorkerResults['append'] => {
    const lastSequences = new Map<string, number>()
    const now = Date.now()
    return calls.map((rows) =>
      runInSavepoint(
        db,
        () => appendCall(rows, lastSequences, now),
        () => lastSequences.clear(),
      ),
    )
  }

  return {
    append({ batch, mayBeStored }) {
      const calls = unpackBatch(batch)
      const storedSequences = calls.map((rows) => (mayBeStored ? findStoredCall(rows) : null))
      const missing = calls.filter((_rows, index) => storedSequences[index] === null)
      const appended = appendCalls(missing)
      return storedSequences.map((sequences) => sequences ?? appended.shift()!)
    },

    compact(command) {
      const { document, part, sequence } = command
      runTransaction(() => {
        const head = lastSequenceOf(document, part)
        const last = snapshots.sequenceOf(document, part)
        // An older snapshot would lose edits that only the newer one contains.
        if (sequence < last || sequence > head)
          throw new Error(
            `A snapshot up to ${sequence} does not fit ${part} of ${document}: its snapshot ends at ${last}, its log at ${head}`,
          )
        snapshots.replace(command)
        deleteLog.run(document, part, sequence)
        renewSize.run(document, part)
      })
    },

    snapshots,
  }
}

/** Prepares the statements once, because they run for every few edits. */
const createTransactionRunner = (db: DatabaseSync) => {
  const begin = db.prepare('begin immediate')
  const commit = db.prepare('commit')
  return <T>(run: () => T): T => {
    begin.run()
    try {
      const result = run()
      commit.run()
      return result
    } catch (error) {
      // After some errors (a full disk) SQLite has already rolled back.
      if (db.isTransaction) db.exec('rollback')
      throw error
    }
  }
}

const runInSavepoint = <T>(db: DatabaseSync, run: () => T, undo: () => void) => {
  db.exec('savepoint call')
  try {
    const result = run()
    db.exec('release call')
    return result
  } catch (error) {
    if (!db.isTransaction) throw error
    db.exec('rollback to call; release call')
    undo()
    return serializeError(error)
  }
}
