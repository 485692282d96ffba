/**
 * Has all nodes of a database keep files in one storage: a node with a folder of its own would answer that others' files are not there. The
 * database and the storage know the same id.
 */
import type { Kysely } from 'kysely'
import { setTimeout as sleep } from 'node:timers/promises'
import { randomId } from '../../lib/protocol/ids.ts'
import type { Database } from '../store/schema.ts'
import type { FileStorage } from './file-storage.ts'

export class OtherStorage extends Error {
  override readonly name = 'OtherStorage'
}

const WAIT_MS = 100

/**
 * @param waits Two nodes may start at once with a new storage: the other one writes the id as soon as the database has it.
 * @throws {OtherStorage} @throws {StoreError}
 */
export async function checkSharedStorage(
  db: Kysely<Database>,
  storage: FileStorage,
  waits = 20,
): Promise<void> {
  const found = await readId(storage)
  const isFirst = await insertId(db, found ?? randomId())
  const { storage_id: known } = await db.selectFrom('file_storage').selectAll().executeTakeFirstOrThrow()
  if (found === known) return
  if (isFirst) return writeFirstId(db, storage, known)
  if (found === null && (await isWrittenSoon(storage, known, waits))) return
  throw new OtherStorage(
    `where the id of the storage is ${found ?? 'missing'}, and the database knows ${known}: set it as the other servers of this database do; or, if the files have moved there for good, write ${known} into the file "storage-id" there.`,
  )
}

/** Whoever writes it by hand may end the line. */
const readId = async (storage: FileStorage): Promise<string | null> =>
  (await storage.readNote('storage-id'))?.trim() || null

/** A storage that fails now is asked again at the next start, and not taken for another one. */
async function writeFirstId(db: Kysely<Database>, storage: FileStorage, id: string): Promise<void> {
  try {
    await storage.writeNote('storage-id', id)
  } catch (error) {
    await db.deleteFrom('file_storage').where('storage_id', '=', id).execute()
    throw error
  }
}

async function insertId(db: Kysely<Database>, id: string): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto('file_storage')
    .values({ id: 1, storage_id: id })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows > 0n
}

async function isWrittenSoon(storage: FileStorage, known: string, waits: number): Promise<boolean> {
  for (let waited = 0; waited < waits; waited++) {
    await sleep(WAIT_MS)
    const found = await readId(storage)
    if (found !== null) return found === known
  }
  return false
}
