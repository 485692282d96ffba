/**
 * Loads document parts in SQL, inside the worker, by a connection of its own that only reads. So a part is loaded as it is at one moment, a
 * long one in steps, and commits go on between them. A checksum in each row and sequences without gaps turn a flipped bit or a missing row
 * into an error instead of a silently shorter document (D4).
 */
import { DatabaseSync } from 'node:sqlite'
import { crc32 } from 'node:zlib'
import type { PackedLoadedPart, PackedUpdates } from './batch.ts'
import { checksumOf, type SnapshotRow } from './snapshot-rows.ts'
import type { ClientOwner, DocumentPart, LoadedPart } from './store.ts'

export interface DocumentReader {
  /** Pauses after each MiB. One part is loaded after the other. */
  load(document: string, part: DocumentPart): Generator<undefined, PackedLoadedPart>
  close(): void
}

interface LogRow {
  sequence: number
  update: Uint8Array
  checksum: number
}

interface OwnerRow extends ClientOwner {
  recoverable: number
}

interface ReadSnapshot {
  readonly bytes: number
  readonly stateVector: Uint8Array | undefined
  readonly sequence: number
}

/** One step takes some 2 ms. */
const STEP_BYTES = 1024 * 1024

/** Requires the tables, because it prepares its statements at once. */
export const createDocumentReader = (file: string): DocumentReader => {
  const db = new DatabaseSync(file, { readOnly: true, timeout: 5000 })
  const selectSnapshot = db.prepare(
    'select sequence, state, pieces, state_vector, checksum from snapshots where document = ? and part = ?',
  )
  const selectPieces = db.prepare(
    'select bytes from snapshot_pieces where document = ? and part = ? and snapshot = ? order by piece',
  )
  const selectLog = db.prepare(
    'select sequence, "update", checksum from log where document = ? and part = ? order by sequence',
  )
  const selectOwners = db.prepare(
    'select client, principal, recoverable from clients where document = ? and part = ?',
  )
  let stepBytes = 0

  const isPauseDue = ({ length }: Uint8Array): boolean => {
    stepBytes += length
    if (stepBytes < STEP_BYTES) return false
    stepBytes = 0
    return true
  }

  function* readSnapshot(
    document: string,
    part: DocumentPart,
    read: Uint8Array[],
  ): Generator<undefined, ReadSnapshot | null> {
    const row = selectSnapshot.get(document, part) as SnapshotRow | undefined
    if (!row) return null
    const further = row.pieces === null ? [] : selectPieces.iterate(document, part, row.pieces)
    let checksum = 0
    let length = 0
    const add = (piece: Uint8Array): boolean => {
      read.push(piece)
      checksum = crc32(piece, checksum)
      length += piece.length
      return isPauseDue(piece)
    }
    if (add(row.state)) yield
    for (const { bytes } of further) if (add(bytes as Uint8Array)) yield
    if (checksumOf(checksum, row.state_vector) !== row.checksum)
      throw new Error(`The snapshot of ${part} of ${document} is damaged: its checksum does not match`)
    return { bytes: length, stateVector: row.state_vector?.slice(), sequence: row.sequence }
  }

  /** Returns the lengths of the updates. */
  function* readLog(
    document: string,
    part: DocumentPart,
    after: number,
    read: Uint8Array[],
  ): Generator<undefined, number[]> {
    const lengths: number[] = []
    for (const row of selectLog.iterate(document, part) as Iterable<unknown>) {
      const { sequence, update, checksum } = row as LogRow
      const entry = `Log entry ${after + lengths.length + 1} of ${part} of ${document}`
      if (sequence !== after + lengths.length + 1) throw new Error(`${entry} is missing`)
      if (crc32(update) !== checksum) throw new Error(`${entry} is damaged: its checksum does not match`)
      read.push(update)
      lengths.push(update.length)
      if (isPauseDue(update)) yield
    }
    return lengths
  }

  function* pack(
    read: readonly Uint8Array[],
    lengths: readonly number[],
  ): Generator<undefined, PackedUpdates> {
    const bytes = new Uint8Array(lengths.reduce((sum, length) => sum + length, 0))
    let offset = 0
    for (const piece of read) {
      bytes.set(piece, offset)
      offset += piece.length
      if (isPauseDue(piece)) yield
    }
    return { bytes, lengths }
  }

  const ownersOf = (document: string, part: DocumentPart): Pick<LoadedPart, 'owners' | 'recoverable'> => {
    const rows = selectOwners.all(document, part) as unknown as OwnerRow[]
    if (rows.length === 0) return {}
    const recoverable = rows.filter((row) => row.recoverable === 1)
    return {
      owners: new Map(rows.map(({ client, principal }) => [client, principal])),
      ...(recoverable.length > 0 && { recoverable: new Set(recoverable.map(({ client }) => client)) }),
    }
  }

  function* load(document: string, part: DocumentPart): Generator<undefined, PackedLoadedPart> {
    stepBytes = 0
    db.exec('begin')
    try {
      const read: Uint8Array[] = []
      const snapshot = yield* readSnapshot(document, part, read)
      const start = snapshot?.sequence ?? 0
      const lengths = yield* readLog(document, part, start, read)
      const owners = ownersOf(document, part)
      const updates = yield* pack(read, snapshot ? [snapshot.bytes, ...lengths] : lengths)
      return {
        updates,
        stateVector: snapshot?.stateVector,
        ...owners,
        sequence: start + lengths.length,
        logLength: lengths.length,
      }
    } finally {
      db.exec('rollback')
    }
  }

  return { load, close: () => db.close() }
}
