import { type Kysely, type Migration, sql } from 'kysely'

/**
 * Adds proposals: a proposal is a document, whose `original` is the one that it would change. `proposers` says who may make one. An
 * original that is removed leaves its proposals to the next sweep, so nothing refers to it.
 */
export const proposals: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('documents').addColumn('original', 'text').execute()
    await db.schema
      .alterTable('documents')
      .addColumn('proposers', 'text', (column) => column.notNull().defaultTo('editors'))
      .execute()
    await db.schema
      .createIndex('documents_original')
      .on('documents')
      .columns(['original', 'created_at', 'id'])
      .where(sql.ref('original'), 'is not', null)
      .execute()
    await createProposals(db)
    await createDecisions(db)
  },
}

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
