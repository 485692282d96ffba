import type { Kysely, Migration } from 'kysely'

/**
 * Stores what people choose for their profile. `colour`: null until they choose one. `formerNames`: a JSON array, null for none;
 * comments on their way may be signed with one. `asked`: 1 once they were asked for their name.
 */
export const profiles: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('user').addColumn('colour', 'text').execute()
    await db.schema.alterTable('user').addColumn('formerNames', 'text').execute()
    await db.schema
      .alterTable('user')
      .addColumn('asked', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
  },
}
