/**
 * How many bytes are stored for each part of a document, in a table that follows what is stored. The log counts an append in the same
 * transaction, and a compaction counts its part anew; after a change of versions they are counted anew in a statement of their own, so
 * a crash between the two leaves that figure wrong until the next change. Files are counted in the transaction that changes them, each
 * with all its bytes, however many documents share them.
 */
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { isRestorable } from '../retention/remove-document.ts'
import type { Database } from './schema.ts'

/** Counts the versions of some documents anew, which reads no version's text. */
export async function renewVersionsSizes(db: Kysely<Database>, documents: readonly string[]): Promise<void> {
  await sql`
    insert into document_sizes (document, part, bytes)
    select documents.id, 'versions', (select coalesce(sum(length(state)), 0) from versions where document = documents.id)
    from documents where documents.id in (${sql.join(documents)}) and ${isRestorable}
    on conflict (document, part) do update set bytes = excluded.bytes
  `.execute(db)
}

/** Counts the files of a document anew, and what its uploads will take. */
export async function renewFilesSize(db: Kysely<Database>, document: string): Promise<void> {
  await sql`
    insert into document_sizes (document, part, bytes)
    select ${document}, 'files', coalesce(sum(bytes), 0) from (
      select bytes from files where document = ${document}
      union all select bytes from file_uploads where document = ${document}
    ) as counted
    where exists (select 1 from documents where id = ${document})
    on conflict (document, part) do update set bytes = excluded.bytes
  `.execute(db)
}

const countedSizes = sql<SizeRow>`
  select document, part, sum(bytes) as bytes from (
    select document, part, length("update") as bytes from log
    union all select document, part, length(state) + coalesce(length(state_vector), 0) from snapshots
    union all select document, part, length(bytes) from snapshot_pieces
    union all select document, 'versions', length(state) from versions
    union all select document, 'files', bytes from files
    union all select document, 'files', bytes from file_uploads
  ) as stored group by document, part
`

export interface SizeRow {
  readonly document: string
  readonly part: string
  readonly bytes: number
}

/** Counts everything anew, which reads the whole store. */
export async function renewAllSizes(db: Kysely<Database>): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await sql`delete from document_sizes`.execute(transaction)
    await sql`insert into document_sizes (document, part, bytes) ${countedSizes}`.execute(transaction)
  })
}

/** Sums up what is stored, for tests. */
export const countSizes = async (db: Kysely<Database>): Promise<SizeRow[]> =>
  (await sql<SizeRow>`${countedSizes} order by document, part`.execute(db)).rows

/** The documents of a person, those in the trash included, and their desk. */
const documentsOf = (owner: string): RawBuilder<unknown> =>
  sql`(select id from documents where owner = ${owner} and ${isRestorable} union all select ${owner})`

/** Returns how many bytes are stored for a person. @param owner `Principal.id`, which is the name of their desk as well. */
export async function readBytesOf(db: Kysely<Database>, owner: string): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(bytes), 0) as bytes from document_sizes where document in ${documentsOf(owner)}
  `.execute(db)
  return rows[0]!.bytes
}

/** Returns how many bytes are stored for all people. */
export async function readAllBytes(db: Kysely<Database>): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(bytes), 0) as bytes from document_sizes
  `.execute(db)
  return rows[0]!.bytes
}
