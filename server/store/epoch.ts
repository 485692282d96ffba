/**
 * Tells a store that was restored from a backup from one that only stopped. A mark is in the database and in a file outside it, and
 * changes at each start and each orderly stop: a database from a backup has an older mark, or is another database.
 */
import { randomInt } from 'node:crypto'
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
  /** True for a database of several nodes, each with a file and a row of its own: a node without them is new. */
  readonly isShared?: boolean
}

/** Runs after the migrations, and no other node opens the database meanwhile. */
export const openStoreEpoch = async (
  db: Kysely<Database>,
  { markFile, identity: inode, isShared = false }: StoreIdentity,
): Promise<StoreEpoch> => {
  const [rows, mark] = await Promise.all([db.selectFrom('epoch').selectAll().execute(), readMark(markFile)])
  const isReported = mark?.text === RESTORED
  const id = (isReported ? undefined : mark?.id) ?? (isShared ? randomInt(2, MAX_ID) : SOLE_ID)
  const stored = rows.find((row) => row.id === id)
  const isOtherDatabase = rows.some((row) => row.inode !== inode)
  const isOlder = stored
    ? mark?.text !== stored.mark && mark?.text !== stored.next_mark
    : mark !== null && rows.length > 0
  const isRestored = isReported || isOtherDatabase || isOlder
  const restoredAt = isRestored ? Date.now() : latestOf(rows.map(({ restored_at }) => restored_at))
  if (isRestored) {
    await db.updateTable('clients').set({ recoverable: 1 }).execute()
    await db.updateTable('epoch').set({ inode, restored_at: restoredAt }).execute()
  }
  const row = { id, inode, restored_at: restoredAt }
  let latest = await replaceMark(db, markFile, { mark: mark?.text ?? '', ...row })
  return {
    restoredAt,
    async end() {
      latest = await replaceMark(db, markFile, { mark: latest, ...row }).catch(() => latest)
    },
  }
}

type EpochRow = Database['epoch']

/** The row of a server that has its database to itself. */
const SOLE_ID = 1
/** What an operator, or an import, writes into a node's file after a restore that nothing else shows. */
export const RESTORED = 'restored'
const MAX_ID = 2 ** 48 - 1

const latestOf = (times: readonly (number | null)[]): number | null => {
  const latest = Math.max(...times.map((time) => time ?? 0))
  return latest > 0 ? latest : null
}

/**
 * Writes the old and the new mark to the database before the file gets the new one, so that a
 * crash in between does not look like a restore.
 */
const replaceMark = async (
  db: Kysely<Database>,
  markFile: string,
  row: Omit<EpochRow, 'next_mark'>,
): Promise<string> => {
  const next = randomId()
  const marks = { ...row, next_mark: next }
  await db
    .insertInto('epoch')
    .values(marks)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(marks))
    .execute()
  await writeMark(markFile, row.id === SOLE_ID ? next : `${row.id} ${next}`)
  return next
}

interface FileMark {
  readonly id: number
  readonly text: string
}

/** Returns null when there is none. */
const readMark = async (markFile: string): Promise<FileMark | null> => {
  try {
    const [text, id] = (await readFile(markFile, 'utf8')).trim().split(' ').reverse()
    return { id: id === undefined ? SOLE_ID : Number(id), text: text! }
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
