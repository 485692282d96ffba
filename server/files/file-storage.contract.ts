/** What every storage of files does. */
import { createHash, randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type TemporaryFolder, temporaryFolder } from '../fixtures/temporary-folder.ts'
import { type FileStorage, newStorageKey } from './file-storage.ts'

export interface StorageFixture extends AsyncDisposable {
  readonly storage: FileStorage
  /** Longer than what is stored in one piece. */
  readonly manyBytes: number
}

export function describeFileStorage(openFixture: () => Promise<StorageFixture>): void {
  let folder: TemporaryFolder
  let fixture: StorageFixture
  let storage: FileStorage

  beforeEach(async () => {
    folder = await temporaryFolder()
    fixture = await openFixture()
    storage = fixture.storage
  })
  afterEach(async () => {
    await fixture[Symbol.asyncDispose]()
    await folder[Symbol.asyncDispose]()
  })

  async function store(bytes: Buffer): Promise<string> {
    const key = newStorageKey(createHash('sha256').update(bytes).digest('hex'))
    const path = join(folder.path, key)
    await writeFile(path, bytes)
    await storage.put(key, path)
    return key
  }

  const read = async (...from: Parameters<FileStorage['open']>): Promise<Buffer | null> => {
    const found = await storage.open(...from)
    return found && buffer(found)
  }

  const keys = async (): Promise<string[]> => {
    const found: string[] = []
    for await (const { key } of storage.list()) found.push(key)
    return found.toSorted()
  }

  test('what is stored is read again, whole and in parts', async () => {
    const bytes = randomBytes(200_000)
    const key = await store(bytes)
    expect(await read(key)).toEqual(bytes)
    expect(await read(key, { start: 0, end: 0 })).toEqual(bytes.subarray(0, 1))
    expect(await read(key, { start: 70_000, end: 199_999 })).toEqual(bytes.subarray(70_000))
    expect(await storage.has(key)).toBe(true)
  })

  test.each(['owner', 'storage-id'] as const)('its %s is remembered, and is no file', async (note) => {
    expect(await storage.readNote(note)).toBeNull()
    await storage.writeNote(note, '7/1')
    await storage.writeNote(note, '7/2')
    expect(await storage.readNote(note)).toBe('7/2')
    expect(await keys()).toEqual([])
  })

  test('what is empty, and what is large', async () => {
    expect(await read(await store(Buffer.alloc(0)))).toEqual(Buffer.alloc(0))
    const bytes = randomBytes(fixture.manyBytes)
    const stored = await read(await store(bytes))
    expect(stored?.equals(bytes)).toBe(true)
  })

  test('the file that it comes from stays, so that storing it can be tried again', async () => {
    const bytes = Buffer.from('again')
    const key = await store(bytes)
    await storage.delete(key)
    await storage.put(key, join(folder.path, key))
    expect(await read(key)).toEqual(bytes)
  })

  test('nothing has a key that was never stored, or was deleted', async () => {
    const key = await store(Buffer.from('gone'))
    await storage.delete(key)
    await storage.delete(key)
    for (const missing of [key, newStorageKey('0'.repeat(64))]) {
      expect(await storage.has(missing)).toBe(false)
      expect(await read(missing)).toBeNull()
      expect(await read(missing, { start: 0, end: 1 })).toBeNull()
    }
  })

  test('lists all keys, and when each was stored', async () => {
    const started = Date.now()
    const stored = [await store(Buffer.from('one')), await store(Buffer.from('two'))]
    expect(await keys()).toEqual(stored.toSorted())
    // A storage may count whole seconds.
    for await (const { storedAt } of storage.list()) expect(storedAt).toBeGreaterThan(started - 2_000)
    await storage.delete(stored[0]!)
    expect(await keys()).toEqual([stored[1]])
  })

  test('the same bytes under two keys are two', async () => {
    const [one, two] = [await store(Buffer.from('same')), await store(Buffer.from('same'))]
    await storage.delete(one)
    expect(await read(two)).toEqual(Buffer.from('same'))
  })

  test('leaves nothing of a file that cannot be read', async () => {
    const key = newStorageKey('0'.repeat(64))
    await expect(storage.put(key, join(folder.path, 'missing'))).rejects.toThrow(/cannot be stored/)
    expect([await storage.has(key), await keys()]).toEqual([false, []])
  })

  test.each(['../../secret', 'a/b', '', `${'0'.repeat(64)}-..`])('refuses %j as a key', async (key) => {
    await expect(storage.open(key)).rejects.toThrow('is no key of a file')
    await expect(storage.delete(key)).rejects.toThrow('is no key of a file')
  })
}
