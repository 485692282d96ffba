import { type Kysely, sql } from 'kysely'

/** Kept versions of texts, and who has written since the last one. */
export async function createVersionTables(db: Kysely<unknown>): Promise<void> {
  await createVersions(db)
  await createUnversioned(db)
}

/** `state` comes last, because SQLite reads the columns before it without the pages of the blob. */
const createVersions = async (db: Kysely<unknown>) => {
  await db.schema
    .createTable('versions')
    .addColumn('id', 'text', (column) => column.notNull().primaryKey())
    .addColumn('document', 'text', (column) =>
      column.notNull().references('documents.id').onDelete('cascade'),
    )
    .addColumn('created_at', 'integer', (column) => column.notNull())
    .addColumn('name', 'text')
    .addColumn('named_by', 'text')
    .addColumn('authors', 'text', (column) => column.notNull())
    .addColumn('sequence', 'integer', (column) => column.notNull())
    .addColumn('checksum', 'integer', (column) => column.notNull())
    .addColumn('state', 'blob', (column) => column.notNull())
    .modifyEnd(sql`strict`)
    .execute()
  await db.schema
    .createIndex('versions_document')
    .on('versions')
    .columns(['document', 'created_at'])
    .execute()
}

const createUnversioned = (db: Kysely<unknown>) =>
  db.schema
    .createTable('unversioned')
    .addColumn('document', 'text', (column) =>
      column.notNull().references('documents.id').onDelete('cascade'),
    )
    .addColumn('principal', 'text', (column) => column.notNull())
    .addColumn('since', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('unversioned_key', ['document', 'principal'])
    .modifyEnd(sql`strict, without rowid`)
    .execute()
