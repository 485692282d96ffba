import type { Kysely, Migration } from 'kysely'

/** Stores a state vector beside each snapshot, so that a document is served without being decoded. */
export const stateVectors: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('snapshots').addColumn('state_vector', 'blob').execute()
  },
}
