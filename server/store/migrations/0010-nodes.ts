import { type Kysely, type Migration, sql } from 'kysely'

/**
 * Several nodes may write in one database. Beside the owner of a Yjs client id stands the clock that its text has reached, so that two
 * nodes never store different text for the same clocks; null until the id is written under again. Nodes use one secret, of which the
 * database has a fingerprint.
 */
export const nodes: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('clients').addColumn('clock', 'integer').execute()
    await db.schema
      .createTable('installation')
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('secret_fingerprint', 'text', (column) => column.notNull())
      .modifyEnd(sql`strict`)
      .execute()
  },
}
