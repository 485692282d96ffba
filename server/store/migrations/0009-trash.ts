import { type Kysely, type Migration, sql } from 'kysely'
import { titleKey } from '../title-key.ts'

/**
 * Adds an index for each sort order of a list (last edit, title, creation) and for the trash (time of deletion), so that a page
 * reads no more rows than it shows. The sweep reads all documents of a guest.
 */
export const trash: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable('documents')
      .addColumn('title_key', 'text', (column) => column.notNull().defaultTo(''))
      .execute()
    await writeTitleKeys(db)
    await db.schema.dropIndex('documents_list').execute()
    await db.schema.createIndex('documents_owner').on('documents').column('owner').execute()
    await sql`create index documents_edited on documents (owner, updated_at, id) where deleted_at is null`.execute(
      db,
    )
    await sql`create index documents_titled on documents (owner, title_key, id) where deleted_at is null`.execute(
      db,
    )
    await sql`create index documents_created on documents (owner, created_at, id) where deleted_at is null`.execute(
      db,
    )
    await sql`create index documents_trash on documents (owner, deleted_at, id) where deleted_at is not null`.execute(
      db,
    )
  },
}

interface TitledDocuments {
  documents: { id: string; title: string; title_key: string }
}

const ROWS_AT_ONCE = 1000

async function writeTitleKeys(db: Kysely<TitledDocuments>): Promise<void> {
  for (let after = ''; ;) {
    const rows = await db
      .selectFrom('documents')
      .select(['id', 'title'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(ROWS_AT_ONCE)
      .execute()
    // The statement below is SQLite's; a store on PostgreSQL is created with all these migrations, and has no rows here.
    if (rows.length === 0) return
    const keys = JSON.stringify(rows.map(({ id, title }) => [id, titleKey(title)]))
    await sql`
      update documents set title_key = keys.value ->> 1 from json_each(${keys}) as keys where documents.id = keys.value ->> 0
    `.execute(db)
    if (rows.length < ROWS_AT_ONCE) return
    after = rows.at(-1)!.id
  }
}
