/**
 * Tells a store that was restored from a backup from one that only stopped. A mark is in the database and in a file outside it, and
 * changes at each start and each orderly stop: a database from a backup has an older mark, or is another database.
 */
import { open, readFile, rename } from 'node:fs/promises'
import type { Kysely } from 'kysely'
import { randomId } from '../../lib/protocol/ids.ts'
import type { Database } from './schema.ts'

export interface StoreEpoch {
  /** When this server first saw that its store was restored, in ms since 1970; null when that never happened. */
  readonly restoredAt: number | null
  /** Records an orderly stop, so that a restore from now on is noticed. Never rejects. */
  end(): Promise<void>
}

export interface StoreIdentity {
  readonly markFile: string
  /** Differs from database to database: the inode of a file. */
  readonly identity: string
}

/** Runs after the migrations. */
export const openStoreEpoch = async (
  db: Kysely<Database>,
  { markFile, identity: inode }: StoreIdentity,
): Promise<StoreEpoch> => {
  const [stored, mark] = await Promise.all([readRow(db), readMark(markFile)])
  const isRestored =
    stored !== undefined &&
    (stored.inode !== inode || mark === null || (mark !== stored.mark && mark !== stored.next_mark))
  const restoredAt = isRestored ? Date.now() : (stored?.restored_at ?? null)
  if (isRestored) await db.updateTable('clients').set({ recoverable: 1 }).execute()
  let latest = await replaceMark(db, markFile, { mark: mark ?? '', inode, restored_at: restoredAt })
  return {
    restoredAt,
    async end() {
      const epochMark = { mark: latest, inode, restored_at: restoredAt }
      latest = await replaceMark(db, markFile, epochMark).catch(() => latest)
    },
  }
}

type EpochMark = Pick<EpochRow, 'mark' | 'inode' | 'restored_at'>
type EpochRow = Database['epoch']

const readRow = (db: Kysely<Database>): Promise<EpochRow | undefined> =>
  db.selectFrom('epoch').selectAll().executeTakeFirst()

/**
 * Writes the old and the new mark to the database before the file gets the new one, so that a
 * crash in between does not look like a restore.
 */
const replaceMark = async (db: Kysely<Database>, markFile: string, epochMark: EpochMark): Promise<string> => {
  const next = randomId()
  const marks = { next_mark: next, ...epochMark }
  await db
    .insertInto('epoch')
    .values({ id: 1, ...marks })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(marks))
    .execute()
  await writeMark(markFile, next)
  return next
}

/** Returns null when there is none. */
const readMark = async (markFile: string): Promise<string | null> => {
  try {
    return await readFile(markFile, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** Writes the whole file or nothing. */
const writeMark = async (markFile: string, mark: string): Promise<void> => {
  {
    await using handle = await open(`${markFile}-new`, 'w', 0o600)
    await handle.writeFile(mark)
    await handle.sync()
  }
  await rename(`${markFile}-new`, markFile)
}
