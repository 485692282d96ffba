/**
 * Writes a snapshot (D5). One of 24 MiB in one transaction would keep everybody's commits waiting for a fifth of a second: a long one
 * is written in pieces, a transaction each, that nobody reads before the last transaction refers to them. It knows no SQL.
 */
import { randomUUID } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { StoreConnection } from './store-connection.ts'
import type { DocumentPart } from './store.ts'
import type { SnapshotHead } from './worker-messages.ts'

/** Takes some 5 ms, the sync included. */
export const PIECE_BYTES = 512 * 1024

export interface Snapshot {
  readonly document: string
  readonly part: DocumentPart
  readonly state: Uint8Array
  /** The last log entry that the state contains. */
  readonly sequence: number
  readonly stateVector: Uint8Array | undefined
}

/** @throws {Error} and then the part stays as it was. */
export async function writeSnapshot(connection: StoreConnection, snapshot: Snapshot): Promise<void> {
  const { document, part, sequence, stateVector } = snapshot
  try {
    const head = await writeFurtherPieces(connection, snapshot)
    await connection.request('compact', { document, part, head, sequence, stateVector }, [head.bytes.buffer])
  } finally {
    await removeUnusedPieces(connection, document, part)
  }
}

async function writeFurtherPieces(
  connection: StoreConnection,
  { document, part, state }: Snapshot,
): Promise<SnapshotHead> {
  // Pieces are transferred, and the caller's bytes may be a view of a buffer that is still in use.
  const pieceAt = (offset: number) => state.slice(offset, offset + PIECE_BYTES)
  const bytes = pieceAt(0)
  const snapshot = randomUUID()
  let checksum = crc32(bytes)
  let count = 0
  for (let offset = PIECE_BYTES; offset < state.length; offset += PIECE_BYTES) {
    const piece = pieceAt(offset)
    checksum = crc32(piece, checksum)
    count += 1
    const command = { document, part, snapshot, piece: count, bytes: piece }
    await connection.request('write piece', command, [piece.buffer])
  }
  return { bytes, checksum, further: count === 0 ? null : { snapshot, count } }
}

/** Removes what was replaced, and what another attempt left, a few pieces at a time. What stays here, the next snapshot removes. */
async function removeUnusedPieces(
  connection: StoreConnection,
  document: string,
  part: DocumentPart,
): Promise<void> {
  try {
    while ((await connection.request('remove unused pieces', { document, part })) > 0);
  } catch {
    // The part is as it should be.
  }
}
