/**
 * Where the bytes of documents' files are: one interface, one contract suite over each implementation. A key is the SHA-256 of the bytes and
 * a number of its own, so that a key is never written twice: bytes that are being removed are never those that somebody just stored. It knows
 * keys and bytes; it does not know documents.
 */
import { randomBytes } from 'node:crypto'
import type { Readable } from 'node:stream'

/** Both ends are included. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

export interface StoredKey {
  readonly key: string
  /** In ms since 1970. */
  readonly storedAt: number
}

export interface FileStorage {
  /**
   * Resolves once all bytes are stored for good. The file at `path` stays.
   * @throws {NoSpace} for a full disk. @throws {StoreError} when they cannot be stored otherwise; then nothing has the key.
   */
  put(key: string, path: string): Promise<void>
  /** Null where nothing has the key. @throws {StoreError} */
  open(key: string, range?: ByteRange): Promise<Readable | null>
  /** @throws {StoreError} */
  has(key: string): Promise<boolean>
  /** Does nothing where nothing has the key. @throws {StoreError} */
  delete(key: string): Promise<void>
  /** All keys, also those of bytes that were never stored whole, in any order. @throws {StoreError} */
  list(): AsyncIterable<StoredKey>
  /** Null until it was written. @throws {StoreError} */
  readNote(note: StorageNote): Promise<string | null>
  /** @throws {NoSpace} @throws {StoreError} */
  writeNote(note: StorageNote, text: string): Promise<void>
}

/** What stands beside the keys, under this name: the database that owns what is stored, and an id of the storage. */
export type StorageNote = 'owner' | 'storage-id'

export const newStorageKey = (sha256: string): string => `${sha256}-${randomBytes(8).toString('hex')}`

export const isStorageKey = (text: string): boolean => /^[0-9a-f]{64}-[0-9a-f]{16}$/.test(text)
