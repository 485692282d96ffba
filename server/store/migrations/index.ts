/**
 * Every migration ever released, in order. The first one makes all tables; until it is released, a new table or column goes in there. A
 * released one is never edited, and the next change gets the next number.
 */
import { type Kysely, type Migration, Migrator, sql } from 'kysely'
import { tables } from './0001-tables.ts'

const migrations: Record<string, Migration> = { '0001-tables': tables }

/** The name of the last one: what a store of this version has. */
export const latestMigration = Object.keys(migrations).at(-1)!

const firstMigration = Object.keys(migrations)[0]!

/** The first migration of stores from before the first release. */
const UNRELEASED = '0001-log'

/** Whether a store with these migrations, in order, is one of any Diptych. */
export const isOwnStore = (names: readonly string[]): boolean =>
  names[0] === firstMigration || names[0] === UNRELEASED

/** Runs all missing migrations in one transaction. Throws what the failing one threw. */
export const migrate = async <T>(db: Kysely<T>): Promise<void> => {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  const { error } = await migrator.migrateToLatest()
  if (error === undefined) return
  refuseOtherStore(await readMigrationNames(db))
  throw error as Error
}

/** @param names The migrations that a store has, in order. @throws {Error} if another version made one: continues "the database …: ". */
export const refuseOtherStore = (names: readonly string[]): void => {
  const newest = names.at(-1)
  if (newest === undefined || names.every((name) => name in migrations)) return
  if (names[0] === UNRELEASED)
    throw new Error(
      'it belongs to a Diptych from before the first release, whose tables this one does not know: export all documents as a zip there, and import that here',
    )
  throw new Error(
    `it belongs to a newer Diptych (its tables are those of ${newest}, and this one knows them up to ${latestMigration}): start that one, or restore a backup from before`,
  )
}

const readMigrationNames = async <T>(db: Kysely<T>): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)
  return rows.map(({ name }) => name)
}
