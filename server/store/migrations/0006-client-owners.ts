import { type Kysely, type Migration, sql } from 'kysely'

/**
 * Stores the owner of each Yjs client id of a document (A5). The log shows who used which ids so far; for ids that only a snapshot
 * contains nobody knows. A desk has one person, so its ids need no owner. What the server wrote by itself belongs to the server.
 * The epoch reveals a store that was restored from a backup.
 */
export const clientOwners: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('clients')
      .addColumn('document', 'text', (column) => column.notNull())
      .addColumn('part', 'text', (column) => column.notNull())
      .addColumn('client', 'integer', (column) => column.notNull())
      .addColumn('principal', 'text', (column) => column.notNull())
      .addColumn('recoverable', 'integer', (column) => column.notNull().defaultTo(0))
      .addPrimaryKeyConstraint('clients_key', ['document', 'part', 'client'])
      .modifyEnd(sql`strict, without rowid`)
      .execute()
    await db.schema
      .createTable('epoch')
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('mark', 'text', (column) => column.notNull())
      .addColumn('next_mark', 'text', (column) => column.notNull())
      .addColumn('inode', 'text', (column) => column.notNull())
      .addColumn('restored_at', 'integer')
      .modifyEnd(sql`strict`)
      .execute()
    await readOwnersFromLog(db)
  },
}

/** Reads the log in SQLite's SQL. A store on PostgreSQL never comes here with a row: it is created with all these migrations. */
const readOwnersFromLog = async (db: Kysely<unknown>): Promise<void> => {
  const { rows } = await sql`select 1 from log limit 1`.execute(db)
  if (rows.length === 0) return
  await sql`
      insert or ignore into clients (document, part, client, principal)
      select document, part, used.value, iif(session = 'server', 'server', principal)
      from log, json_each(log.clients) as used
      where part <> 'desk'
      order by document, part, sequence
    `.execute(db)
}
