import { type Kysely, type Migration, sql } from 'kysely'

/**
 * `welcomed`: null for a person who never opened their list; otherwise the id of their welcome document, '' for none. Everybody who
 * existed before had theirs with the first page. The indexes serve the sweep, and lists in pages.
 */
export const newcomers: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('user').addColumn('welcomed', 'text').execute()
    await sql`update "user" set welcomed = ''`.execute(db)
    await sql`create index documents_deleted on documents (deleted_at) where deleted_at is not null`.execute(
      db,
    )
    await db.schema
      .createIndex('documents_list')
      .on('documents')
      .columns(['owner', 'updated_at', 'created_at', 'id'])
      .execute()
    await db.schema.dropIndex('documents_owner').execute()
  },
}
