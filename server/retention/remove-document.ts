/** Removes a deleted document from the disk, a few rows at a time, so that the store's one thread serves everybody between two steps. */
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Database } from '../store/schema.ts'

/** A document with this deletion time is due at once, however long others are kept, and nobody can restore it. */
export const PURGED_AT = 0

/** True for a document in the list or in the trash: what belongs to it is restored with it. */
export const isRestorable: RawBuilder<boolean> = sql<boolean>`(documents.deleted_at is null or documents.deleted_at > ${PURGED_AT})`

/** Waits for the next step; rejects when there is to be none. */
export type PauseBetweenSteps = () => Promise<void>

/** How many rows of the log one statement removes. Most rows are a few bytes, and the largest a few MB. */
const LOG_ROWS_PER_DELETE = 100

/**
 * Claims the document that was deleted first, of those deleted by `before`, or returns null. From now on nobody can restore it,
 * because half of it may be gone at any moment.
 */
export async function claimDueDocument(db: Kysely<Database>, before: number): Promise<string | null> {
  const row = await db
    .updateTable('documents')
    .set({ deleted_at: PURGED_AT })
    .where('id', '=', (from) =>
      from
        .selectFrom('documents')
        .select('id')
        .where('deleted_at', '<=', before)
        .orderBy('deleted_at')
        .limit(1),
    )
    .returning('id')
    .executeTakeFirst()
  return row?.id ?? null
}

/** Makes the proposals due whose originals cannot be restored or are gone. Returns how many. */
export async function purgeLeftProposals(db: Kysely<Database>): Promise<number> {
  const { numAffectedRows } = await sql`
    update documents set deleted_at = ${PURGED_AT} where original is not null and ${isRestorable} and not exists (
      select 1 from documents as originals where originals.id = documents.original
        and (originals.deleted_at is null or originals.deleted_at > ${PURGED_AT}))
  `.execute(db)
  return Number(numAffectedRows)
}

/** Removes everything of a document but its row. The name may also be a desk's, which has no such row. */
export async function removeDocumentContents(
  db: Kysely<Database>,
  document: string,
  pause: PauseBetweenSteps,
): Promise<void> {
  while ((await removeLogRows(db, document)) === LOG_ROWS_PER_DELETE) await pause()
  for (const table of await findDocumentTables(db)) {
    await pause()
    await sql`delete from ${sql.table(table)} where document = ${document}`.execute(db)
  }
}

export async function removeDocument(
  db: Kysely<Database>,
  document: string,
  pause: PauseBetweenSteps,
): Promise<void> {
  await removeDocumentContents(db, document, pause)
  await pause()
  await db.deleteFrom('documents').where('id', '=', document).execute()
}

async function removeLogRows(db: Kysely<Database>, document: string): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from log where document = ${document} and (part, sequence) in
      (select part, sequence from log where document = ${document} limit ${LOG_ROWS_PER_DELETE})
  `.execute(db)
  return Number(numAffectedRows)
}

const tablesByDatabase = new WeakMap<Kysely<Database>, Promise<string[]>>()

/** Asks the database for the tables once, so that a table of a later migration is included. */
function findDocumentTables(db: Kysely<Database>): Promise<string[]> {
  const tables = tablesByDatabase.get(db) ?? readDocumentTables(db)
  tablesByDatabase.set(db, tables)
  tables.catch(() => tablesByDatabase.delete(db))
  return tables
}

async function readDocumentTables(db: Kysely<Database>): Promise<string[]> {
  const tables = await db.introspection.getTables()
  return tables
    .filter(({ columns }) => columns.some(({ name }) => name === 'document'))
    .map(({ name }) => name)
    .toSorted()
}
