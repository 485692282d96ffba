/** Stores versions as rows, in single statements only: a transaction would make everybody's appends wait. */
import { type Kysely, sql } from 'kysely'
import { crc32 } from 'node:zlib'
import { renewVersionsSizes } from '../store/document-sizes.ts'
import type { Database } from '../store/schema.ts'
import { isRestorable } from '../retention/remove-document.ts'
import { StoreError } from '../store/store.ts'

export interface VersionRow {
  readonly id: string
  /** Milliseconds since 1970. */
  readonly createdAt: number
  readonly name: string | null
  /** `Principal.id`s. */
  readonly authors: readonly string[]
  /** The last log entry that the version contains. */
  readonly sequence: number
  /** The size as stored, compressed. */
  readonly bytes: number
}

export interface NewVersionRow extends Omit<VersionRow, 'bytes'> {
  readonly document: string
  readonly namedBy: string | null
  readonly state: Uint8Array
}

export interface UnversionedAuthor {
  readonly document: string
  readonly principal: string
  /** Milliseconds since 1970. */
  readonly since: number
}

export type VersionsTable = ReturnType<typeof createVersionsTable>

export const createVersionsTable = (db: Kysely<Database>) => ({
  /** Returns the newest first. */
  async list(document: string): Promise<VersionRow[]> {
    const rows = await db
      .selectFrom('versions')
      .select(['id', 'created_at', 'name', 'authors', 'sequence', sql<number>`length(state)`.as('bytes')])
      .where('document', '=', document)
      .orderBy('created_at', 'desc')
      .orderBy('sequence', 'desc')
      .execute()
    return rows.map(({ created_at, authors, ...row }) => ({
      ...row,
      createdAt: created_at,
      authors: JSON.parse(authors) as string[],
    }))
  },

  async stateBytes(document: string, id: string): Promise<number | null> {
    const row = await db
      .selectFrom('versions')
      .select(sql<number>`length(state)`.as('bytes'))
      .where('document', '=', document)
      .where('id', '=', id)
      .executeTakeFirst()
    return row?.bytes ?? null
  },

  /** @throws {StoreError} for a damaged version (D4). */
  async state(document: string, id: string): Promise<Uint8Array<ArrayBuffer> | null> {
    const row = await db
      .selectFrom('versions')
      .select(['state', 'checksum'])
      .where('document', '=', document)
      .where('id', '=', id)
      .executeTakeFirst()
    if (row && crc32(row.state) !== row.checksum)
      throw new StoreError(`Version ${id} of ${document} is damaged: its checksum does not match`)
    return row ? (row.state as Uint8Array<ArrayBuffer>) : null
  },

  /** Returns false when the document was deleted for good, which may happen while its version is being made. */
  async insert(version: NewVersionRow): Promise<boolean> {
    const { document } = version
    const row = toTableRow(version)
    const columns = Object.keys(row) as (keyof typeof row)[]
    const { numInsertedOrUpdatedRows } = await db
      .insertInto('versions')
      .columns(columns)
      .expression((from) =>
        from
          .selectFrom('documents')
          .select(columns.map((column) => sql`${row[column]}`.as(column)))
          .where('documents.id', '=', document)
          .where(isRestorable),
      )
      .executeTakeFirst()
    const isInserted = (numInsertedOrUpdatedRows ?? 0n) > 0n
    if (isInserted) await renewVersionsSizes(db, [document])
    return isInserted
  },

  /** Inserts the first version of a document that nobody sees yet. Its size is to be counted once the document is there. */
  async insertIntoNew(version: NewVersionRow): Promise<void> {
    await db.insertInto('versions').values(toTableRow(version)).execute()
  },

  /** Returns false when the document has no such version. The one that a proposal began with keeps its name, and so stays. */
  async rename(document: string, id: string, name: string | null, by: string): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable('versions')
      .set({ name, named_by: name === null ? null : by })
      .where('document', '=', document)
      .where('id', '=', id)
      .where('id', 'not in', (proposals) =>
        proposals.selectFrom('proposals').select('base').where('document', '=', document),
      )
      .executeTakeFirst()
    return numUpdatedRows > 0n
  },

  /** Returns how many rows were removed. With `keepNamed` none that somebody has given a name meanwhile. */
  async remove(document: string, ids: readonly string[], { keepNamed = false } = {}): Promise<number> {
    if (ids.length === 0) return 0
    const { numDeletedRows } = await db
      .deleteFrom('versions')
      .where('document', '=', document)
      .where('id', 'in', ids)
      .$if(keepNamed, (query) => query.where('name', 'is', null))
      .executeTakeFirst()
    await renewVersionsSizes(db, [document])
    return Number(numDeletedRows)
  },

  async removeAll(document: string): Promise<void> {
    await db.deleteFrom('versions').where('document', '=', document).execute()
    await renewVersionsSizes(db, [document])
    await db.deleteFrom('unversioned').where('document', '=', document).execute()
  },

  async recordAuthor({ document, principal, since }: UnversionedAuthor): Promise<void> {
    await db
      .insertInto('unversioned')
      .columns(['document', 'principal', 'since'])
      .expression((from) =>
        from
          .selectFrom('documents')
          .select([
            'documents.id as document',
            sql<string>`${principal}`.as('principal'),
            sql<number>`${since}`.as('since'),
          ])
          .where('documents.id', '=', document)
          .where(isRestorable),
      )
      .onConflict((conflict) =>
        conflict
          .columns(['document', 'principal'])
          .doUpdateSet({ since: (row) => row.ref('excluded.since') }),
      )
      .execute()
  },

  listUnversionedAuthors: (): Promise<UnversionedAuthor[]> =>
    db.selectFrom('unversioned').select(['document', 'principal', 'since']).orderBy('since').execute(),

  async deleteAuthorsBefore(document: string, before: number): Promise<void> {
    await db.deleteFrom('unversioned').where('document', '=', document).where('since', '<', before).execute()
  },
})

const toTableRow = ({ id, document, createdAt, name, namedBy, authors, sequence, state }: NewVersionRow) => ({
  id,
  document,
  created_at: createdAt,
  name,
  named_by: namedBy,
  authors: JSON.stringify(authors),
  sequence,
  checksum: crc32(state),
  state,
})
