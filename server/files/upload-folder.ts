/**
 * What has arrived of uploads in progress, in a folder that this server alone writes in. It knows bytes, their order and hashes; it does not
 * know documents or requests.
 */
import { createHash, type Hash } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { storageError } from './folder-storage.ts'

/** How many hashes of uploads are kept until the next request; the hash of another one is made again of what is on the disk. */
const MAX_KEPT_HASHES = 1_000

/** One request that writes an upload: from an offset on, in order. */
export interface UploadWriter extends AsyncDisposable {
  /** Where the next byte goes. */
  readonly offset: number
  /** SHA-256 of all bytes so far. */
  readonly sha256: string
  /** @throws {NoSpace} @throws {StoreError} */
  write(bytes: Uint8Array): Promise<void>
  /** Resolves once all bytes so far are on the disk: the next writer begins there at the latest. */
  sync(): Promise<void>
}

export class UploadFolder {
  readonly #folder: string
  readonly #hashes = new Map<string, { readonly hash: Hash; readonly offset: number }>()

  constructor(folder: string) {
    this.#folder = folder
  }

  pathOf(name: string): string {
    return join(this.#folder, name)
  }

  /** How many bytes the disk has left. */
  async freeBytes(): Promise<number> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    const { bavail, bsize } = await statfs(this.#folder)
    return bavail * bsize
  }

  /** How many bytes have arrived here; 0 where another server has them. */
  async sizeOf(name: string): Promise<number> {
    return stat(this.pathOf(name)).then(
      ({ size }) => size,
      () => 0,
    )
  }

  /** Begins at `offset`, and forgets what came after it. */
  async openWriter(name: string, offset: number): Promise<UploadWriter> {
    try {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 })
      const handle = await open(this.pathOf(name), offset === 0 ? 'w+' : 'r+', 0o600)
      try {
        await handle.truncate(offset)
        return this.#createWriter(name, handle, await this.#hashUpTo(name, handle, offset), offset)
      } catch (error) {
        await handle.close()
        throw error
      }
    } catch (error) {
      throw storageError(error as NodeJS.ErrnoException)
    }
  }

  async #hashUpTo(name: string, handle: FileHandle, offset: number): Promise<Hash> {
    const kept = this.#hashes.get(name)
    if (kept?.offset === offset) return kept.hash.copy()
    const hash = createHash('sha256')
    if (offset === 0) return hash
    const stream = handle.createReadStream({ start: 0, end: offset - 1, autoClose: false })
    for await (const chunk of stream) hash.update(chunk as Buffer)
    return hash
  }

  #createWriter(name: string, handle: FileHandle, hash: Hash, start: number): UploadWriter {
    let offset = start
    return {
      get offset() {
        return offset
      },
      get sha256() {
        return hash.copy().digest('hex')
      },
      write: async (bytes) => {
        try {
          for (let from = 0; from < bytes.length;) {
            const { bytesWritten } = await handle.write(bytes, from, bytes.length - from, offset + from)
            from += bytesWritten
          }
        } catch (error) {
          throw storageError(error as NodeJS.ErrnoException)
        }
        hash.update(bytes)
        offset += bytes.length
      },
      sync: async () => {
        try {
          await handle.datasync()
        } catch (error) {
          throw storageError(error as NodeJS.ErrnoException)
        }
        this.#keepHash(name, hash.copy(), offset)
      },
      [Symbol.asyncDispose]: () => handle.close(),
    }
  }

  #keepHash(name: string, hash: Hash, offset: number): void {
    this.#hashes.delete(name)
    this.#hashes.set(name, { hash, offset })
    if (this.#hashes.size > MAX_KEPT_HASHES) this.#hashes.delete(this.#hashes.keys().next().value!)
  }

  async remove(name: string): Promise<void> {
    this.#hashes.delete(name)
    await rm(this.pathOf(name), { force: true })
  }

  list(): Promise<string[]> {
    return readdir(this.#folder).catch(() => [])
  }
}
