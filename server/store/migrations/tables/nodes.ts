import { type Kysely, sql } from 'kysely'

/** What several nodes have to agree on: the owners of Yjs client ids, the secret, the storage of files, and whether the store was restored. */
export async function createNodeTables(db: Kysely<unknown>): Promise<void> {
  await createClients(db)
  await db.schema
    .createTable('epoch')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('mark', 'text', (column) => column.notNull())
    .addColumn('next_mark', 'text', (column) => column.notNull())
    .addColumn('inode', 'text', (column) => column.notNull())
    .addColumn('restored_at', 'integer')
    .modifyEnd(sql`strict`)
    .execute()
  await db.schema
    .createTable('installation')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('secret_fingerprint', 'text', (column) => column.notNull())
    .modifyEnd(sql`strict`)
    .execute()
  await db.schema
    .createTable('file_storage')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('storage_id', 'text', (column) => column.notNull())
    .modifyEnd(sql`strict`)
    .execute()
}

/**
 * The owner of each Yjs client id of a document (A5), and the clock that its text has reached, so that two nodes never store different text
 * for the same clocks. A desk has one person, so its ids need no owner.
 */
const createClients = (db: Kysely<unknown>) =>
  db.schema
    .createTable('clients')
    .addColumn('document', 'text', (column) => column.notNull())
    .addColumn('part', 'text', (column) => column.notNull())
    .addColumn('client', 'integer', (column) => column.notNull())
    .addColumn('principal', 'text', (column) => column.notNull())
    .addColumn('recoverable', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('clock', 'integer')
    .addColumn('claimed_at', 'integer')
    .addPrimaryKeyConstraint('clients_key', ['document', 'part', 'client'])
    .modifyEnd(sql`strict, without rowid`)
    .execute()
