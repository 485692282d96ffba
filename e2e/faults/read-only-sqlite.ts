/**
 * Replaces server/store/sqlite.ts (see stand-in-store.ts): SIGUSR2 makes SQLite refuse every write as on a read-only disk, the next
 * one makes it writable again, and each is confirmed on standard error.
 */
import { sql } from 'kysely'
import { openSqliteStore as open } from '../../server/store/sqlite.ts'

export const openSqliteStore: typeof open = async (options) => {
  const store = await open(options)
  let readOnly = false
  const toggleReadOnly = async (): Promise<void> => {
    readOnly = !readOnly
    await sql.raw(`pragma query_only = ${readOnly ? 1 : 0}`).execute(store.db)
    process.stderr.write(readOnly ? 'Read-only\n' : 'Writable again\n')
  }
  process.on('SIGUSR2', () => void toggleReadOnly())
  return store
}
