import { type Kysely, sql } from 'kysely'

/** Which document has which files, uploads in progress, and where bytes are stored: those that several documents have are stored once. */
export async function createFileTables(db: Kysely<unknown>): Promise<void> {
  await createFiles(db)
  await createUploads(db)
  await db.schema
    .createTable('file_contents')
    .addColumn('sha256', 'text', (column) => column.notNull().primaryKey())
    .addColumn('storage_key', 'text', (column) => column.notNull())
    .addColumn('bytes', 'integer', (column) => column.notNull())
    .addColumn('used_at', 'integer', (column) => column.notNull())
    .modifyEnd(sql`strict`)
    .execute()
}

async function createFiles(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('files')
    .addColumn('document', 'text', (column) =>
      column.notNull().references('documents.id').onDelete('cascade'),
    )
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('sha256', 'text', (column) => column.notNull())
    .addColumn('bytes', 'integer', (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('width', 'integer')
    .addColumn('height', 'integer')
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('uploaded_by', 'text', (column) => column.notNull())
    .addColumn('uploaded_at', 'integer', (column) => column.notNull())
    .addColumn('looked_for_at', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('unused_since', 'integer')
    .addPrimaryKeyConstraint('files_key', ['document', 'id'])
    .modifyEnd(sql`strict`)
    .execute()
  await db.schema.createIndex('files_content').on('files').column('sha256').execute()
  await db.schema.createIndex('files_looked_for').on('files').columns(['looked_for_at', 'document']).execute()
}

async function createUploads(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('file_uploads')
    .addColumn('document', 'text', (column) =>
      column.notNull().references('documents.id').onDelete('cascade'),
    )
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('bytes', 'integer', (column) => column.notNull())
    .addColumn('received', 'integer', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('uploaded_by', 'text', (column) => column.notNull())
    .addColumn('created_at', 'integer', (column) => column.notNull())
    .addColumn('expires_at', 'integer', (column) => column.notNull())
    .addColumn('node', 'text', (column) => column.notNull().defaultTo(''))
    .addPrimaryKeyConstraint('file_uploads_key', ['document', 'id'])
    .modifyEnd(sql`strict`)
    .execute()
  await db.schema.createIndex('file_uploads_expiry').on('file_uploads').column('expires_at').execute()
  await db.schema.createIndex('file_uploads_person').on('file_uploads').column('uploaded_by').execute()
}
