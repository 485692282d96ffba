/** Writes snapshots in SQL, inside the worker. What of a long one does not fit its row lies in pieces (write-snapshot.ts). */
import type { DatabaseSync } from 'node:sqlite'
import { crc32 } from 'node:zlib'
import type { DocumentPart } from './store.ts'
import type { WorkerCommands } from './worker-messages.ts'

export interface SnapshotRows {
  /** Returns the last log entry that the snapshot contains; 0 without a snapshot. */
  sequenceOf(document: string, part: DocumentPart): number
  writePiece(command: WorkerCommands['write piece']): void
  /** Replaces the snapshot; the caller has a transaction open. @throws {Error} if not all of its pieces are there. */
  replace(command: WorkerCommands['compact']): void
  /** Returns how many were removed: a few at most. */
  removeUnusedPieces(document: string, part: DocumentPart): number
}

export interface SnapshotRow {
  sequence: number
  state: Uint8Array
  /** The `snapshot` of its further pieces; null when there are none. */
  pieces: string | null
  /** Null in a row that is older than the column. */
  state_vector: Uint8Array | null
  /** The checksum of the whole state and its vector. */
  checksum: number
}

/** Removing a piece takes a tenth of what writing it takes. */
const REMOVED_AT_ONCE = 16

/** Requires the tables, because it prepares its statements at once. */
export const createSnapshotRows = (db: DatabaseSync): SnapshotRows => {
  const selectSequence = db.prepare('select sequence from snapshots where document = ? and part = ?')
  const replace = db.prepare(
    `insert or replace into snapshots (document, part, sequence, state, pieces, state_vector, checksum, created_at)
     values (?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const countPieces = db.prepare(
    'select count(*) as count from snapshot_pieces where document = ? and part = ? and snapshot = ?',
  )
  const insertPiece = db.prepare(
    'insert into snapshot_pieces (document, part, snapshot, piece, bytes) values (?, ?, ?, ?, ?)',
  )
  const removeUnused = db.prepare(
    `delete from snapshot_pieces where rowid in (
       select rowid from snapshot_pieces where document = ?1 and part = ?2 and snapshot is not
         (select pieces from snapshots where document = ?1 and part = ?2)
       limit ${REMOVED_AT_ONCE})`,
  )

  return {
    sequenceOf: (document, part) => (selectSequence.get(document, part)?.sequence ?? 0) as number,

    writePiece({ document, part, snapshot, piece, bytes }) {
      insertPiece.run(document, part, snapshot, piece, bytes)
    },

    replace({ document, part, head: { bytes, checksum, further }, sequence, stateVector = null }) {
      if (further && countPieces.get(document, part, further.snapshot)!.count !== further.count)
        throw new Error(`A snapshot of ${part} of ${document} has lost pieces to another one`)
      const checked = checksumOf(checksum, stateVector)
      const pieces = further?.snapshot ?? null
      replace.run(document, part, sequence, bytes, pieces, stateVector, checked, Date.now())
    },

    removeUnusedPieces: (document, part) => Number(removeUnused.run(document, part).changes),
  }
}

export const checksumOf = (checksumOfState: number, stateVector: Uint8Array | null): number =>
  stateVector === null ? checksumOfState : crc32(stateVector, checksumOfState)
