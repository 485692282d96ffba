import type { Kysely, Migration } from 'kysely'

/** Beside each snapshot what it knows, so that a document is served without being decoded. */
export const stateVectors: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('snapshots').addColumn('state_vector', 'blob').execute()
  },
}
