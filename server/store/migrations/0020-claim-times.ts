import type { Kysely, Migration } from 'kysely'

/** Stores since when each client id is used, which is about when its letters were written. Null for ids from before. */
export const claimTimes: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('clients').addColumn('claimed_at', 'integer').execute()
  },
}
