/** Reads the pictures that stand within a file: a format that is written as a whole needs their bytes. */
import { buffer } from 'node:stream/consumers'
import type { Kysely } from 'kysely'
import { MAX_EMBEDDED_BYTES } from '../../lib/export/export-limits.ts'
import { type FileRow, findStorageKey } from '../files/file-records.ts'
import type { FileStorage } from '../files/file-storage.ts'
import { findIds } from '../files/find-ids.ts'
import type { Database } from '../store/schema.ts'

/** Those of its files that a text names, as far as there is room. */
export async function picturesIn(
  updates: readonly Uint8Array[],
  files: readonly FileRow[],
): Promise<readonly FileRow[]> {
  const pictures = files.filter(({ type }) => type.startsWith('image/'))
  const missing = new Set(pictures.map(({ id }) => id))
  for (const update of updates) await findIds(update, missing)
  let bytes = 0
  return pictures.filter((file) => !missing.has(file.id) && (bytes += file.bytes) <= MAX_EMBEDDED_BYTES)
}

export async function readPictures(
  db: Kysely<Database>,
  storage: FileStorage,
  pictures: readonly FileRow[],
): Promise<ReadonlyMap<string, Uint8Array<ArrayBuffer>>> {
  const read = new Map<string, Uint8Array<ArrayBuffer>>()
  for (const { id, sha256 } of pictures) {
    const key = await findStorageKey(db, sha256)
    const stream = key === null ? null : await storage.open(key)
    if (stream) read.set(id, Uint8Array.from(await buffer(stream)))
  }
  return read
}
