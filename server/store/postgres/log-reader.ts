/**
 * Reads the log and its snapshots from PostgreSQL. A checksum in each row and sequences without gaps turn a flipped bit or a missing row
 * into an error instead of a silently shorter document (D4).
 */
import { crc32 } from 'node:zlib'
import type pg from 'pg'
import { packUpdates, unpackUpdates } from '../batch.ts'
import type { DocumentPart, LoadedPart, LogContinuation } from '../store.ts'

type Reader = Pick<pg.Pool, 'query'>

interface LoadedRow {
  /** A `piece` continues the snapshot. */
  kind: 'snapshot' | 'piece' | 'edit' | 'owner'
  /** A sequence, the number of a piece, or a Yjs client id. */
  number: number
  bytes: Buffer | null
  state_vector: Buffer | null
  /** Of an owner: whether its text is recoverable. */
  checksum: number
  principal: string | null
}

export async function loadPart(reader: Reader, document: string, part: DocumentPart): Promise<LoadedPart> {
  const { rows } = await reader.query<LoadedRow>(loadQuery(document, part))
  return toLoadedPart(rows, `of ${part} of ${document}`)
}

/** Returns the edits after a sequence; null where the snapshot ends later, and some of them are in it. */
export async function readContinuation(
  reader: Reader,
  document: string,
  part: DocumentPart,
  sequence: number,
): Promise<LogContinuation | null> {
  const { rows } = await reader.query<LoadedRow>(continuationQuery(document, part, sequence))
  return toContinuation(rows, sequence, `of ${part} of ${document}`)
}

/** One statement, and so one moment: a compaction is not seen by halves. */
const loadQuery = (document: string, part: DocumentPart) => ({
  name: 'load',
  text: `
    select 'snapshot' as kind, sequence as number, state as bytes, state_vector, checksum, null as principal
    from snapshots where document = $1 and part = $2
    union all
    select 'piece', piece, bytes, null, 0, null from snapshot_pieces
    where document = $1 and part = $2 and snapshot = (
      select pieces from snapshots where document = $1 and part = $2)
    union all
    select 'edit', sequence, "update", null, checksum, null from log where document = $1 and part = $2
    union all
    select 'owner', client, null, null, recoverable, principal from clients where document = $1 and part = $2
    order by kind, number`,
  values: [document, part],
})

/** Edits after a sequence, the owners of the ids that they were written under, and where the snapshot ends. */
const continuationQuery = (document: string, part: DocumentPart, sequence: number) => ({
  name: 'continuation',
  text: `
    with entries as (
      select sequence, "update", checksum, clients from log where document = $1 and part = $2 and sequence > $3)
    select 'edit' as kind, sequence as number, "update" as bytes, null::bytea as state_vector, checksum,
           null as principal
    from entries
    union all
    select 'owner', client, null, null, 0, principal from clients
    where document = $1 and part = $2 and client in (
      select json_array_elements_text(entries.clients::json)::bigint from entries)
    union all
    select 'snapshot', sequence, null, null, 0, null from snapshots where document = $1 and part = $2
    order by kind, number`,
  values: [document, part, sequence],
})

const toContinuation = (
  rows: readonly LoadedRow[],
  sequence: number,
  where: string,
): LogContinuation | null => {
  const edits = rows.filter(({ kind }) => kind === 'edit')
  const snapshot = rows.find(({ kind }) => kind === 'snapshot')
  if (snapshot && snapshot.number > sequence) return null
  checkEntries(edits, sequence, where)
  const owners = rows.filter(({ kind }) => kind === 'owner')
  return {
    updates: unpackUpdates(packUpdates(edits.map(({ bytes }) => bytes!))),
    owners: new Map(owners.map(({ number, principal }) => [number, principal!])),
  }
}

const checkEntries = (edits: readonly LoadedRow[], sequence: number, where: string): void =>
  edits.forEach((edit, index) => {
    const expected = sequence + 1 + index
    if (edit.number !== expected) throw new Error(`Log entry ${expected} ${where} is missing`)
    if (crc32(edit.bytes!) !== edit.checksum) throw damageError(`Log entry ${expected} ${where}`)
  })

const toLoadedPart = (rows: readonly LoadedRow[], where: string): LoadedPart => {
  const rowsOf = (kind: LoadedRow['kind']) => rows.filter((row) => row.kind === kind)
  const snapshot = withFurtherPieces(rowsOf('snapshot')[0], rowsOf('piece'))
  const [edits, owners] = [rowsOf('edit'), rowsOf('owner')]
  if (snapshot !== undefined && snapshotChecksum(snapshot) !== snapshot.checksum)
    throw damageError(`The snapshot ${where}`)
  const sequence = snapshot?.number ?? 0
  checkEntries(edits, sequence, where)
  const recoverable = owners.filter(({ checksum }) => checksum === 1)
  return {
    // One buffer of their own, in place of views of Node's shared pool.
    updates: unpackUpdates(packUpdates([snapshot ?? [], edits].flat().map(({ bytes }) => bytes!))),
    ...(snapshot?.state_vector && { stateVector: new Uint8Array(snapshot.state_vector) }),
    ...(owners.length > 0 && { owners: new Map(owners.map((row) => [row.number, row.principal!])) }),
    ...(recoverable.length > 0 && { recoverable: new Set(recoverable.map(({ number }) => number)) }),
    sequence: sequence + edits.length,
    logLength: edits.length,
  }
}

const withFurtherPieces = (
  snapshot: LoadedRow | undefined,
  pieces: readonly LoadedRow[],
): LoadedRow | undefined =>
  snapshot && pieces.length > 0
    ? { ...snapshot, bytes: Buffer.concat([snapshot, ...pieces].map(({ bytes }) => bytes!)) }
    : snapshot

const snapshotChecksum = ({ bytes, state_vector }: LoadedRow): number =>
  state_vector === null ? crc32(bytes!) : crc32(state_vector, crc32(bytes!))

const damageError = (what: string) => new Error(`${what} is damaged: its checksum does not match`)
