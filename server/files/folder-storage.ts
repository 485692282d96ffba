/** Keeps files in a folder: `ab/abcd…`. Several servers may share it. */
import { copyFile, link, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { storageStrings } from '../../lib/strings/storage.ts'
import { NoSpace } from '../storage/storage-quota.ts'
import { StoreError } from '../store/store.ts'
import {
  type ByteRange,
  type FileStorage,
  isStorageKey,
  type StorageNote,
  type StoredKey,
} from './file-storage.ts'

/** Of one read: a fourth of the reads of Node's default, and as much memory for each reader. */
const READ_BYTES = 256 * 1024
/** A file that is being copied from another disk. */
const PART = '.part'

export class FolderStorage implements FileStorage {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  /** A second name for the same bytes where the disk is the same, otherwise a copy. */
  async put(key: string, path: string): Promise<void> {
    const target = this.#pathOf(key)
    try {
      await makeFolder(dirname(target))
      await syncPath(path)
      await link(path, target).catch((error: NodeJS.ErrnoException) => {
        if (!['EXDEV', 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK'].includes(error.code ?? '')) throw error
        return copyWhole(path, target)
      })
      await syncPath(dirname(target))
    } catch (error) {
      throw storageError(error as NodeJS.ErrnoException)
    }
  }

  async open(key: string, range?: ByteRange): Promise<Readable | null> {
    try {
      const handle = await open(this.#pathOf(key))
      return handle.createReadStream({ ...range, highWaterMark: READ_BYTES })
    } catch (error) {
      if (isMissing(error)) return null
      throw storageError(error as NodeJS.ErrnoException)
    }
  }

  async has(key: string): Promise<boolean> {
    try {
      await stat(this.#pathOf(key))
      return true
    } catch (error) {
      if (isMissing(error)) return false
      throw storageError(error as NodeJS.ErrnoException)
    }
  }

  async delete(key: string): Promise<void> {
    try {
      await rm(this.#pathOf(key), { force: true })
    } catch (error) {
      throw storageError(error as NodeJS.ErrnoException)
    }
  }

  async *list(): AsyncGenerator<StoredKey> {
    for (const folder of await namesIn(this.#folder))
      for (const key of await namesIn(join(this.#folder, folder))) {
        if (!isFileName(key)) continue
        const found = await stat(this.#pathOf(key)).catch(() => null)
        // The time of the content would be that of the upload; this one is that of the name.
        if (found) yield { key, storedAt: found.ctimeMs }
      }
  }

  async readNote(note: StorageNote): Promise<string | null> {
    try {
      return await readFile(join(this.#folder, note), 'utf8')
    } catch (error) {
      if (isMissing(error)) return null
      throw storageError(error as NodeJS.ErrnoException)
    }
  }

  async writeNote(note: StorageNote, text: string): Promise<void> {
    try {
      await makeFolder(this.#folder)
      const part = join(this.#folder, `${note}${PART}`)
      await writeFile(part, text, { flush: true })
      await rename(part, join(this.#folder, note))
      await syncPath(this.#folder)
    } catch (error) {
      throw storageError(error as NodeJS.ErrnoException)
    }
  }

  #pathOf(key: string): string {
    if (!isFileName(key)) throw new StoreError(`${key} is no key of a file`)
    return join(this.#folder, key.slice(0, 2), key)
  }
}

const isFileName = (name: string): boolean =>
  isStorageKey(name.endsWith(PART) ? name.slice(0, -PART.length) : name)

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT'

const namesIn = (folder: string): Promise<string[]> =>
  readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return []
    throw storageError(error)
  })

/** A new folder is lost with the power unless the one above it is synced. */
async function makeFolder(folder: string): Promise<void> {
  const made = await mkdir(folder, { recursive: true, mode: 0o700 })
  if (made !== undefined) await syncPath(dirname(made))
}

async function copyWhole(path: string, target: string): Promise<void> {
  const part = `${target}${PART}`
  try {
    await copyFile(path, part)
    await syncPath(part)
    await rename(part, target)
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
}

async function syncPath(path: string): Promise<void> {
  await using handle = await open(path)
  await handle.sync()
}

/** A full disk is answered as one. */
export function storageError(error: NodeJS.ErrnoException): Error {
  if (error instanceof StoreError || error instanceof NoSpace) return error
  if (error.code === 'ENOSPC' || error.code === 'EDQUOT')
    return new NoSpace(storageStrings.serverFull, { cause: error })
  return new StoreError(`Files cannot be stored or read: ${error.message}`, { cause: error })
}
