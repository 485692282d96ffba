import { type Kysely, type Migration, sql } from 'kysely'

/** One row with the id of the storage of files, by which a node finds that it has another than the other nodes. */
export const fileStorage: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('file_storage')
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('storage_id', 'text', (column) => column.notNull())
      .modifyEnd(sql`strict`)
      .execute()
  },
}
