import { type Kysely, type Migration, sql } from 'kysely'

/** Lets a long snapshot lie in pieces, which are written one by one before the snapshot refers to them. */
export const snapshotPieces: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('snapshot_pieces')
      .addColumn('document', 'text', (column) => column.notNull())
      .addColumn('part', 'text', (column) => column.notNull())
      .addColumn('snapshot', 'text', (column) => column.notNull())
      .addColumn('piece', 'integer', (column) => column.notNull())
      .addColumn('bytes', 'blob', (column) => column.notNull())
      .addPrimaryKeyConstraint('snapshot_pieces_key', ['document', 'part', 'snapshot', 'piece'])
      .modifyEnd(sql`strict`)
      .execute()
    await db.schema.alterTable('snapshots').addColumn('pieces', 'text').execute()
  },
}
