/**
 * Tells a store that was restored from a backup from one that only stopped. A mark is in the database and in a file beside it, and
 * changes at each start and each orderly stop: a database from a backup has an older mark, or is another file.
 */
import { open, readFile, rename, stat } from 'node:fs/promises'
import type { Kysely } from 'kysely'
import { randomId } from '../../lib/protocol/ids.ts'
import type { Database } from './schema.ts'

export interface StoreEpoch {
  /** When this server first saw that its store was restored, in ms since 1970; null when that never happened. */
  readonly restoredAt: number | null
  /** Records an orderly stop, so that a restore from now on is noticed. Never rejects. */
  end(): Promise<void>
}

export const markFileOf = (file: string): string => `${file}-epoch`

/**
 * Runs after the migrations.
 * @param file The database file.
 */
export const openStoreEpoch = async (db: Kysely<Database>, file: string): Promise<StoreEpoch> => {
  const [stored, mark, inode] = await Promise.all([readRow(db), readMark(file), inodeOf(file)])
  const isRestored =
    stored !== undefined &&
    (stored.inode !== inode || mark === null || (mark !== stored.mark && mark !== stored.next_mark))
  const restoredAt = isRestored ? Date.now() : (stored?.restored_at ?? null)
  if (isRestored) await db.updateTable('clients').set({ recoverable: 1 }).execute()
  let latest = await replaceMark(db, file, { mark: mark ?? '', inode, restored_at: restoredAt })
  return {
    restoredAt,
    async end() {
      const epochMark = { mark: latest, inode, restored_at: restoredAt }
      latest = await replaceMark(db, file, epochMark).catch(() => latest)
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
const replaceMark = async (db: Kysely<Database>, file: string, epochMark: EpochMark): Promise<string> => {
  const next = randomId()
  await db
    .replaceInto('epoch')
    .values({ id: 1, next_mark: next, ...epochMark })
    .execute()
  await writeMark(file, next)
  return next
}

/** Returns null when there is none. */
const readMark = async (file: string): Promise<string | null> => {
  try {
    return await readFile(markFileOf(file), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** Writes the whole file or nothing. */
const writeMark = async (file: string, mark: string): Promise<void> => {
  const path = markFileOf(file)
  {
    await using handle = await open(`${path}-new`, 'w', 0o600)
    await handle.writeFile(mark)
    await handle.sync()
  }
  await rename(`${path}-new`, path)
}

const inodeOf = async (file: string): Promise<string> => `${(await stat(file, { bigint: true })).ino}`
