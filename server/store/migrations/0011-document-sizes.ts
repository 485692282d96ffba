import { type Kysely, type Migration, sql } from 'kysely'

/**
 * Adds how many bytes each part of a document takes: log and snapshot, and its versions as one more part. The figures follow every
 * change, so that what a person takes is a sum over documents and not over bytes.
 */
export const documentSizes: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('document_sizes')
      .addColumn('document', 'text', (column) => column.notNull())
      .addColumn('part', 'text', (column) => column.notNull())
      .addColumn('bytes', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('document_sizes_key', ['document', 'part'])
      .modifyEnd(sql`strict, without rowid`)
      .execute()
    await sql`
      insert into document_sizes (document, part, bytes)
      select document, part, sum(bytes) from (
        select document, part, length("update") as bytes from log
        union all select document, part, length(state) + coalesce(length(state_vector), 0) from snapshots
        union all select document, 'versions', length(state) from versions
      ) as stored group by document, part
    `.execute(db)
  },
}
