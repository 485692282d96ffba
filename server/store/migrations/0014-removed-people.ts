import type { Kysely, Migration } from 'kysely'

/** Lets an owner keep newcomers off a link, and one person out of a document, while everybody else keeps their access. */
export const removedPeople: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('links').addColumn('closed_at', 'integer').execute()
    await db.schema.alterTable('grants').addColumn('removed_at', 'integer').execute()
  },
}
