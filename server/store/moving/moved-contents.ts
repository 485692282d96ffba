/**
 * The bytes of documents' files as sections: one for each SHA-256, in rows of 1 MiB, so that a file of any length takes no more memory. They
 * are stored anew by an import, under keys of the other storage.
 */
import { createHash, type Hash } from 'node:crypto'
import { mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Kysely } from 'kysely'
import { FileContents } from '../../files/file-contents.ts'
import type { FileStorage } from '../../files/file-storage.ts'
import type { Database } from '../schema.ts'
import { readRow, writeRow } from './moved-rows.ts'
import type { SectionHash, SectionName } from './store-sections.ts'

const ROW_BYTES = 1024 * 1024
const NAMES_PER_READ = 500

interface StoredContent {
  readonly sha256: string
  readonly key: string
}

/** In the order of their hashes; those that a file of a document uses. */
export async function* contentsOfFiles(db: Kysely<Database>): AsyncGenerator<StoredContent> {
  for (let after = ''; ;) {
    const rows = await db
      .selectFrom('file_contents')
      .select(['sha256', 'storage_key as key'])
      .where('sha256', '>', after)
      .where((where) =>
        where.exists(
          where.selectFrom('files').select('id').whereRef('files.sha256', '=', 'file_contents.sha256'),
        ),
      )
      .orderBy('sha256')
      .limit(NAMES_PER_READ)
      .execute()
    yield* rows
    if (rows.length < NAMES_PER_READ) return
    after = rows.at(-1)!.sha256
  }
}

/** Returns null where the storage has no such bytes. */
export async function openContentRows(
  storage: FileStorage,
  key: string,
): Promise<AsyncIterable<Uint8Array> | null> {
  const stream = await storage.open(key)
  return stream && rowsOfBytes(stream as AsyncIterable<Buffer>)
}

async function* rowsOfBytes(chunks: AsyncIterable<Buffer>): AsyncGenerator<Uint8Array> {
  let pending: Buffer[] = []
  let length = 0
  const takeRow = (): Uint8Array => {
    const all = Buffer.concat(pending)
    const bytes = all.subarray(0, ROW_BYTES)
    pending = [all.subarray(bytes.length)]
    length -= bytes.length
    return writeRow({ table: 'content', values: { bytes } })
  }
  for await (const chunk of chunks) {
    pending.push(chunk)
    length += chunk.length
    while (length >= ROW_BYTES) yield takeRow()
  }
  if (length > 0) yield takeRow()
}

export interface ContentTarget {
  readonly db: Kysely<Database>
  readonly storage: FileStorage
  readonly dataDir: string
}

/** Stores the bytes of a section where they are not stored yet. @throws {Error} when they are not those of its name. */
export async function importContent(
  { db, storage, dataDir }: ContentTarget,
  { name, rows }: SectionName & { readonly rows: AsyncIterable<Uint8Array> },
): Promise<void> {
  const folder = join(dataDir, 'uploads')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, 'import')
  try {
    const { bytes, hash } = await writeBytes(path, rows)
    const sha256 = hash.digest('hex')
    if (sha256 !== name) throw new Error(`the bytes named ${name} are those of ${sha256}`)
    await new FileContents(db, storage).store({ path, sha256, bytes }, async () => {})
  } finally {
    await rm(path, { force: true })
  }
}

async function writeBytes(
  path: string,
  rows: AsyncIterable<Uint8Array>,
): Promise<{ bytes: number; hash: Hash }> {
  await using handle = await open(path, 'w', 0o600)
  const hash = createHash('sha256')
  let count = 0
  for await (const row of rows) {
    const bytes = readRow(row).values.bytes as Uint8Array
    hash.update(bytes)
    await handle.writeFile(bytes)
    count += bytes.length
  }
  return { bytes: count, hash }
}

/** Reads the bytes again from the storage. Returns null where it has none. */
export async function hashContent(
  { db, storage }: Pick<ContentTarget, 'db' | 'storage'>,
  sha256: string,
): Promise<SectionHash | null> {
  const row = await db
    .selectFrom('file_contents')
    .select('storage_key')
    .where('sha256', '=', sha256)
    .executeTakeFirst()
  const rows = row ? await openContentRows(storage, row.storage_key) : null
  if (!rows) return null
  const hash = createHash('sha256')
  let count = 0
  for await (const bytes of rows) {
    hash.update(bytes)
    count += 1
  }
  return { rows: count, hash: hash.digest('hex') }
}
