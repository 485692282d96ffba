/**
 * Stores the same bytes once, whichever documents have them, and removes them when none has them any more:
 *
 *   upload ─▶ are they there? ─▶ yes: used, in one transaction with the file that uses them
 *                  └─▶ no: stored under a key that nothing else has ─▶ the same, or another upload was first: its key is used
 *   sweep  ─▶ a row that no file uses, and none began to use lately, is deleted ─▶ then its bytes
 *
 * A crash leaves bytes without a row at most, which a sweep finds in the storage. It knows rows and keys; it does not know requests.
 */
import { type Kysely, sql } from 'kysely'
import type { PauseBetweenSteps } from '../retention/remove-document.ts'
import type { Database } from '../store/schema.ts'
import { type FileStorage, isStorageKey, newStorageKey } from './file-storage.ts'

/** A file that lies on this server's disk, and is read there by nobody else. */
export interface LocalFile {
  readonly path: string
  readonly sha256: string
  readonly bytes: number
}

/** Longer than any transaction takes. */
const UNUSED_KEPT_MS = 3600_000
/** Longer than any file takes to be stored. */
const STRAY_KEPT_MS = 24 * 3600_000
const ROWS_PER_DELETE = 50

export class FileContents {
  readonly #db: Kysely<Database>
  readonly #storage: FileStorage
  readonly #now: () => number

  constructor(db: Kysely<Database>, storage: FileStorage, now = Date.now) {
    this.#db = db
    this.#storage = storage
    this.#now = now
  }

  /**
   * Stores the bytes where they are not stored yet.
   * @param use Runs in the transaction that says so. @throws {NoSpace} @throws {StoreError}
   */
  async store<Answer>(
    file: LocalFile,
    use: (transaction: Kysely<Database>) => Promise<Answer>,
  ): Promise<Answer> {
    const isStored = await this.#db.transaction().execute(async (transaction) => {
      return (await this.#touch(transaction, file.sha256)) ? { answer: await use(transaction) } : null
    })
    if (isStored) return isStored.answer
    const key = newStorageKey(file.sha256)
    await this.#storage.put(key, file.path)
    const { usedKey, answer } = await this.#db.transaction().execute(async (transaction) => ({
      usedKey: await this.#insert(transaction, file, key),
      answer: await use(transaction),
    }))
    // Another upload of the same bytes was first.
    if (usedKey !== key) await this.#storage.delete(key).catch(() => {})
    return answer
  }

  /** Keeps a sweep from the row until the transaction ends, which then finds it used. */
  async #touch(transaction: Kysely<Database>, sha256: string): Promise<boolean> {
    const { numUpdatedRows } = await transaction
      .updateTable('file_contents')
      .set({ used_at: this.#now() })
      .where('sha256', '=', sha256)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  }

  async #insert(transaction: Kysely<Database>, { sha256, bytes }: LocalFile, key: string): Promise<string> {
    const row = await transaction
      .insertInto('file_contents')
      .values({ sha256, storage_key: key, bytes, used_at: this.#now() })
      .onConflict((conflict) => conflict.column('sha256').doUpdateSet({ used_at: this.#now() }))
      .returning('storage_key')
      .executeTakeFirstOrThrow()
    return row.storage_key
  }

  /** Removes bytes that no file uses. Returns how many there were. */
  async removeUnused(pause: PauseBetweenSteps): Promise<number> {
    for (let removed = 0; ; await pause()) {
      const { rows } = await sql<{ storage_key: string }>`
        delete from file_contents where sha256 in (
          select sha256 from file_contents where used_at < ${this.#now() - UNUSED_KEPT_MS}
            and not exists (select 1 from files where files.sha256 = file_contents.sha256)
          limit ${ROWS_PER_DELETE})
        and used_at < ${this.#now() - UNUSED_KEPT_MS}
        returning storage_key
      `.execute(this.#db)
      for (const { storage_key: key } of rows) await this.#storage.delete(key)
      removed += rows.length
      if (rows.length < ROWS_PER_DELETE) return removed
    }
  }

  /** Removes bytes that no row names: what a crash left. Reads all keys of the storage. */
  async removeStrays(pause: PauseBetweenSteps): Promise<number> {
    let removed = 0
    for await (const { key, storedAt } of this.#storage.list()) {
      if (storedAt > this.#now() - STRAY_KEPT_MS || (await this.#hasRow(key))) continue
      await this.#storage.delete(key)
      removed += 1
      await pause()
    }
    return removed
  }

  async #hasRow(key: string): Promise<boolean> {
    if (!isStorageKey(key)) return false
    const row = await this.#db
      .selectFrom('file_contents')
      .select('sha256')
      .where('sha256', '=', key.slice(0, 64))
      .where('storage_key', '=', key)
      .executeTakeFirst()
    return row !== undefined
  }
}
