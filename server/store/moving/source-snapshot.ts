/**
 * Opens a store to read it as it is at one moment, also while a server writes in it, and changes nothing in it. On SQLite a reader in a
 * transaction stops no writer; the file of the write-ahead log grows until the reader ends.
 */
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { existsSync } from 'node:fs'
import { Kysely, PostgresDialect, sql, SqliteDialect } from 'kysely'
import type { StoreKind } from '../document-store.ts'
import { latestMigration, refuseOtherStore } from '../migrations/index.ts'
import type { Database } from '../schema.ts'
import type { StoreLocation } from './store-location.ts'

export interface SourceSnapshot {
  readonly kind: StoreKind
  readonly db: Kysely<Database>
}

/** @throws {Error} one sentence when there is no store of this version. */
export async function readSnapshot<Answer>(
  location: StoreLocation,
  read: (snapshot: SourceSnapshot) => Promise<Answer>,
): Promise<Answer> {
  const { kind, db } = location.kind === 'sqlite' ? openSqlite(location.file) : await openPostgres(location)
  try {
    return await db
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute(async (snapshot) => {
        // The disk that the file goes to may be slower than an ordinary client.
        if (kind === 'postgres')
          await sql`set local idle_in_transaction_session_timeout = 0`.execute(snapshot)
        await checkSchema(snapshot, location)
        return read({ kind, db: snapshot })
      })
  } finally {
    await db.destroy()
  }
}

function openSqlite(file: string): SourceSnapshot {
  if (!existsSync(file)) throw new Error(`${file} is not there: DATA_DIR names a folder without documents.`)
  const database = new DatabaseSync(file, { readOnly: true, timeout: 5000 })
  const prepare = (text: string) => {
    const statement = database.prepare(text)
    const all = (values: readonly unknown[]) => statement.all(...(values as SQLInputValue[]))
    const run = (values: readonly unknown[]) => statement.run(...(values as SQLInputValue[]))
    const iterate = (values: readonly unknown[]) => statement.iterate(...(values as SQLInputValue[]))
    return { reader: statement.columns().length > 0, all, run, iterate }
  }
  const dialect = new SqliteDialect({ database: { prepare, close: () => database.close() } })
  return { kind: 'sqlite', db: new Kysely<Database>({ dialect }) }
}

async function openPostgres({ url }: { readonly url: string }): Promise<SourceSnapshot> {
  const { openPool } = await import('../postgres/connections.ts')
  const dialect = new PostgresDialect({ pool: openPool({ url }, 1) })
  return { kind: 'postgres', db: new Kysely<Database>({ dialect }) }
}

async function checkSchema(db: Kysely<Database>, { name }: StoreLocation): Promise<void> {
  const names = await sql<{ name: string }>`select name from kysely_migration order by name`
    .execute(db)
    .then(({ rows }) => rows.map((row) => row.name))
    .catch((error: Error) => {
      throw new Error(`${name} has no documents of Diptych: ${error.message}.`, { cause: error })
    })
  try {
    refuseOtherStore(names)
  } catch (error) {
    throw new Error(`${name} cannot be read: ${(error as Error).message}.`, { cause: error })
  }
  if (names.at(-1) !== latestMigration)
    throw new Error(
      `${name} is the store of an older Diptych (${names.at(-1)}): start this one once, which brings it up to date.`,
    )
}
