import { type Kysely, type Migration, sql } from 'kysely'

export const documents: Migration = {
  async up(db: Kysely<unknown>) {
    await createDocuments(db)
    await createLinks(db)
    await createGrants(db)
  },
}

const createDocuments = async (db: Kysely<unknown>) => {
  await db.schema
    .createTable('documents')
    .addColumn('id', 'text', (column) => column.notNull().primaryKey())
    .addColumn('title', 'text', (column) => column.notNull().defaultTo(''))
    .addColumn('owner', 'text', (column) => column.notNull())
    .addColumn('created_at', 'integer', (column) => column.notNull())
    .addColumn('updated_at', 'integer', (column) => column.notNull())
    .addColumn('deleted_at', 'integer')
    .modifyEnd(sql`strict`)
    .execute()
  await db.schema.createIndex('documents_owner').on('documents').columns(['owner', 'updated_at']).execute()
}

const createLinks = async (db: Kysely<unknown>) => {
  await db.schema
    .createTable('links')
    .addColumn('id', 'text', (column) => column.notNull().primaryKey())
    .addColumn('token_hash', 'text', (column) => column.notNull().unique())
    .addColumn('document', 'text', (column) =>
      column.notNull().references('documents.id').onDelete('cascade'),
    )
    .addColumn('role', 'text', (column) => column.notNull())
    .addColumn('created_by', 'text', (column) => column.notNull())
    .addColumn('created_at', 'integer', (column) => column.notNull())
    .addColumn('revoked_at', 'integer')
    .modifyEnd(sql`strict`)
    .execute()
  await db.schema.createIndex('links_document').on('links').column('document').execute()
}

const createGrants = async (db: Kysely<unknown>) => {
  await db.schema
    .createTable('grants')
    .addColumn('document', 'text', (column) =>
      column.notNull().references('documents.id').onDelete('cascade'),
    )
    .addColumn('principal', 'text', (column) => column.notNull())
    .addColumn('link', 'text', (column) => column.notNull().references('links.id').onDelete('cascade'))
    .addColumn('role', 'text', (column) => column.notNull())
    .addColumn('created_at', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('grants_key', ['document', 'principal', 'link'])
    .modifyEnd(sql`strict`)
    .execute()
  await db.schema.createIndex('grants_principal').on('grants').column('principal').execute()
  await db.schema.createIndex('grants_link').on('grants').column('link').execute()
}
