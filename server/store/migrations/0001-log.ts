import { type Kysely, type Migration, sql } from 'kysely'

/** The log has no row id (WITHOUT ROWID), so that an append touches one leaf page, and a document's log is read in one sweep. */
export const log: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('log')
      .addColumn('document', 'text', (column) => column.notNull())
      .addColumn('part', 'text', (column) => column.notNull())
      .addColumn('sequence', 'integer', (column) => column.notNull())
      .addColumn('update', 'blob', (column) => column.notNull())
      .addColumn('checksum', 'integer', (column) => column.notNull())
      .addColumn('principal', 'text', (column) => column.notNull())
      .addColumn('session', 'text', (column) => column.notNull())
      .addColumn('number', 'integer', (column) => column.notNull())
      .addColumn('clients', 'text', (column) => column.notNull())
      .addColumn('created_at', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('log_key', ['document', 'part', 'sequence'])
      .modifyEnd(sql`strict, without rowid`)
      .execute()

    await db.schema
      .createTable('snapshots')
      .addColumn('document', 'text', (column) => column.notNull())
      .addColumn('part', 'text', (column) => column.notNull())
      .addColumn('sequence', 'integer', (column) => column.notNull())
      .addColumn('state', 'blob', (column) => column.notNull())
      .addColumn('checksum', 'integer', (column) => column.notNull())
      .addColumn('created_at', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('snapshots_key', ['document', 'part'])
      .modifyEnd(sql`strict`)
      .execute()

    await db.schema
      .createTable('health')
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('written_at', 'integer', (column) => column.notNull())
      .modifyEnd(sql`strict`)
      .execute()
  },
}
