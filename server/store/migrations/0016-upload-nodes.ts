import type { Kysely, Migration } from 'kysely'

/** Says which node has what arrived of an upload, so that the others forward its requests; '' where nobody said so. */
export const uploadNodes: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable('file_uploads')
      .addColumn('node', 'text', (column) => column.notNull().defaultTo(''))
      .execute()
  },
}
