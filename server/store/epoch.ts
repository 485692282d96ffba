/**
 * Tells a store that was restored from a backup from one that only stopped. A mark lies in the database and in a file beside it, and
 * changes at each start and each orderly end: a database that comes back from a backup has an older one, or is another file.
 */
import { open, readFile, rename, stat } from 'node:fs/promises'
import type { Kysely } from 'kysely'
import { randomId } from '../../lib/protocol/ids.ts'
import type { Database } from './schema.ts'

export interface StoreEpoch {
  /** When this server first saw that its store was restored, in ms since 1970; null where that never happened. */
  readonly restoredAt: number | null
  /** The store is stopped in good order: what is restored from here on is seen. Never rejects. */
  end(): Promise<void>
}

export const markFileOf = (file: string): string => `${file}-epoch`

/** Behind the migrations. @param file The database's. */
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

/** The database knows the old and the new mark before the file has the new one, so that a crash in between looks like no restore. */
const replaceMark = async (db: Kysely<Database>, file: string, epochMark: EpochMark): Promise<string> => {
  const next = randomId()
  await db
    .replaceInto('epoch')
    .values({ id: 1, next_mark: next, ...epochMark })
    .execute()
  await writeMark(file, next)
  return next
}

/** Null where there is none. */
const readMark = async (file: string): Promise<string | null> => {
  try {
    return await readFile(markFileOf(file), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** Whole or not at all. */
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
