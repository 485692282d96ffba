import { type Kysely, sql } from 'kysely'

/** A person's own order: their folders, and for each document where it is, whether it is a favourite, and when they opened it. */
export async function createOrderTables(db: Kysely<unknown>): Promise<void> {
  await createFolders(db)
  await createPlacements(db)
}

async function createFolders(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('folders')
    .addColumn('id', 'text', (column) => column.notNull().primaryKey())
    .addColumn('owner', 'text', (column) => column.notNull())
    .addColumn('parent', 'text')
    .addColumn('former_parent', 'text')
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('deleted_at', 'integer')
    .modifyEnd(sql`strict`)
    .execute()
  await db.schema.createIndex('folders_owner').on('folders').column('owner').execute()
  await db.schema
    .createTable('folder_trees')
    .addColumn('owner', 'text', (column) => column.notNull().primaryKey())
    .addColumn('revision', 'integer', (column) => column.notNull())
    .modifyEnd(sql`strict`)
    .execute()
}

async function createPlacements(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('placements')
    .addColumn('principal', 'text', (column) => column.notNull())
    .addColumn('document', 'text', (column) => column.notNull())
    .addColumn('folder', 'text')
    .addColumn('former_folder', 'text')
    .addColumn('favourite_at', 'integer')
    .addColumn('template_at', 'integer')
    .addColumn('opened_at', 'integer')
    .addPrimaryKeyConstraint('placements_key', ['principal', 'document'])
    .modifyEnd(sql`strict`)
    .execute()
  for (const column of ['document', 'folder', 'favourite_at', 'template_at', 'opened_at']) {
    const columns = column === 'document' ? [column] : ['principal', column]
    await db.schema.createIndex(`placements_${column}`).on('placements').columns(columns).execute()
  }
}
