/** Looks, before anything is written, at the tables of a database: Diptych's, of this version or another one, or none at all. */
import type pg from 'pg'
import { isOwnStore, refuseOtherStore } from '../migrations/index.ts'
import { FENCE_TABLE } from './server-lock.ts'

const MIGRATION_TABLE = 'kysely_migration'

/** A first start that was killed leaves these alone. */
const tablesBeforeMigrations = new Set([FENCE_TABLE, MIGRATION_TABLE, 'kysely_migration_lock'])

/** @throws {Error} for another program's database, or another version's: one sentence. */
export const checkTables = async (client: pg.Client): Promise<void> => {
  const tables = await readTableNames(client)
  if (tables.length === 0) return
  const isOwn = tables.includes(FENCE_TABLE)
  const migrations = isOwn && tables.includes(MIGRATION_TABLE) ? await readMigrationNames(client) : []
  const isUnfinished = migrations.length === 0 && tables.every((name) => tablesBeforeMigrations.has(name))
  if (!isOwn || !(isUnfinished || isOwnStore(migrations)))
    throw new Error('it holds tables of another program')
  refuseOtherStore(migrations)
}

/**
 * Asks for the tables and views of the schema that the store would use. The information schema would leave out those that this role may
 * not read. What an extension brings is no other program's.
 */
const readTableNames = async (client: pg.Client): Promise<string[]> => {
  const { rows } = await client.query<{ name: string }>(`
    select relname::text as name from pg_class
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f')
      and not exists (
        select from pg_depend
        where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e'
      )`)
  return rows.map(({ name }) => name)
}

const readMigrationNames = async (client: pg.Client): Promise<string[]> => {
  const { rows } = await client.query<{ name: string }>(`select name from ${MIGRATION_TABLE} order by name`)
  return rows.map(({ name }) => name)
}
