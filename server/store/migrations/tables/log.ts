import { type Kysely, sql } from 'kysely'

/** Edits, the snapshots that replace them, and how many bytes both take. */
export async function createLogTables(db: Kysely<unknown>): Promise<void> {
  await createLog(db)
  await createSnapshots(db)
  await createSnapshotPieces(db)
  await createDocumentSizes(db)
  await db.schema
    .createTable('health')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('written_at', 'integer', (column) => column.notNull())
    .modifyEnd(sql`strict`)
    .execute()
}

/** It has no row id, so that an append touches one leaf page, and a document's log is read in one sweep. */
const createLog = (db: Kysely<unknown>) =>
  db.schema
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

/** With its state vector beside it, a document is served without being decoded. */
const createSnapshots = (db: Kysely<unknown>) =>
  db.schema
    .createTable('snapshots')
    .addColumn('document', 'text', (column) => column.notNull())
    .addColumn('part', 'text', (column) => column.notNull())
    .addColumn('sequence', 'integer', (column) => column.notNull())
    .addColumn('state', 'blob', (column) => column.notNull())
    .addColumn('checksum', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'integer', (column) => column.notNull())
    .addColumn('state_vector', 'blob')
    .addColumn('pieces', 'text')
    .addPrimaryKeyConstraint('snapshots_key', ['document', 'part'])
    .modifyEnd(sql`strict`)
    .execute()

/** A long snapshot lies in pieces, which are written one by one before the snapshot refers to them. */
const createSnapshotPieces = (db: Kysely<unknown>) =>
  db.schema
    .createTable('snapshot_pieces')
    .addColumn('document', 'text', (column) => column.notNull())
    .addColumn('part', 'text', (column) => column.notNull())
    .addColumn('snapshot', 'text', (column) => column.notNull())
    .addColumn('piece', 'integer', (column) => column.notNull())
    .addColumn('bytes', 'blob', (column) => column.notNull())
    .addPrimaryKeyConstraint('snapshot_pieces_key', ['document', 'part', 'snapshot', 'piece'])
    .modifyEnd(sql`strict`)
    .execute()

/** The figures follow every change, so that what a person takes is a sum over documents and not over bytes. */
const createDocumentSizes = (db: Kysely<unknown>) =>
  db.schema
    .createTable('document_sizes')
    .addColumn('document', 'text', (column) => column.notNull())
    .addColumn('part', 'text', (column) => column.notNull())
    .addColumn('bytes', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('document_sizes_key', ['document', 'part'])
    .modifyEnd(sql`strict, without rowid`)
    .execute()
