import { type Kysely, sql } from 'kysely'

/** Documents, who came to them by which link, and their proposals. */
export async function createDocumentTables(db: Kysely<unknown>): Promise<void> {
  await createDocuments(db)
  await createLinks(db)
  await createGrants(db)
  await createProposals(db)
  await createDecisions(db)
}

/** Each sort order of a list has an index, and so has the trash: a page reads no more rows than it shows. */
async function createDocuments(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('documents')
    .addColumn('id', 'text', (column) => column.notNull().primaryKey())
    .addColumn('title', 'text', (column) => column.notNull().defaultTo(''))
    .addColumn('owner', 'text', (column) => column.notNull())
    .addColumn('created_at', 'integer', (column) => column.notNull())
    .addColumn('updated_at', 'integer', (column) => column.notNull())
    .addColumn('deleted_at', 'integer')
    .addColumn('title_key', 'text', (column) => column.notNull().defaultTo(''))
    .addColumn('original', 'text')
    .addColumn('proposers', 'text', (column) => column.notNull().defaultTo('editors'))
    .modifyEnd(sql`strict`)
    .execute()
  await db.schema.createIndex('documents_owner').on('documents').column('owner').execute()
  const present = sql`deleted_at is null`
  const deleted = sql`deleted_at is not null`
  const indexes = [
    ['documents_edited', ['owner', 'updated_at', 'id'], present],
    ['documents_titled', ['owner', 'title_key', 'id'], present],
    ['documents_created', ['owner', 'created_at', 'id'], present],
    ['documents_trash', ['owner', 'deleted_at', 'id'], deleted],
    ['documents_deleted', ['deleted_at'], deleted],
    ['documents_original', ['original', 'created_at', 'id'], sql`original is not null`],
  ] as const
  for (const [name, columns, where] of indexes) {
    const list = sql.join(columns.map((column) => sql.ref(column)))
    await sql`create index ${sql.id(name)} on documents (${list}) where ${where}`.execute(db)
  }
}

async function createLinks(db: Kysely<unknown>): Promise<void> {
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
    .addColumn('closed_at', 'integer')
    .modifyEnd(sql`strict`)
    .execute()
  await db.schema.createIndex('links_document').on('links').column('document').execute()
}

async function createGrants(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('grants')
    .addColumn('document', 'text', (column) =>
      column.notNull().references('documents.id').onDelete('cascade'),
    )
    .addColumn('principal', 'text', (column) => column.notNull())
    .addColumn('link', 'text', (column) => column.notNull().references('links.id').onDelete('cascade'))
    .addColumn('role', 'text', (column) => column.notNull())
    .addColumn('created_at', 'integer', (column) => column.notNull())
    .addColumn('removed_at', 'integer')
    .addPrimaryKeyConstraint('grants_key', ['document', 'principal', 'link'])
    .modifyEnd(sql`strict`)
    .execute()
  await db.schema.createIndex('grants_principal').on('grants').column('principal').execute()
  await db.schema.createIndex('grants_link').on('grants').column('link').execute()
}

/** A proposal is a document, whose `original` is the one that it would change. An original that is removed leaves it to the next sweep. */
const createProposals = (db: Kysely<unknown>) =>
  db.schema
    .createTable('proposals')
    .addColumn('document', 'text', (column) =>
      column.notNull().primaryKey().references('documents.id').onDelete('cascade'),
    )
    .addColumn('title', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('base', 'text', (column) => column.notNull())
    .addColumn('decided_at', 'integer')
    .addColumn('decided_by', 'text')
    .addColumn('accepting_node', 'text')
    .modifyEnd(sql`strict`)
    .execute()

const createDecisions = (db: Kysely<unknown>) =>
  db.schema
    .createTable('proposal_decisions')
    .addColumn('document', 'text', (column) =>
      column.notNull().references('documents.id').onDelete('cascade'),
    )
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('decision', 'text', (column) => column.notNull())
    .addColumn('decided_by', 'text', (column) => column.notNull())
    .addColumn('decided_at', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('proposal_decisions_key', ['document', 'key'])
    .modifyEnd(sql`strict, without rowid`)
    .execute()
