/** All nodes of a database keep files in one storage, and one that has another says so at its start. */
import { join } from 'node:path'
import { writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { openAccessFixture } from '../fixtures/access-fixture.ts'
import { FolderStorage } from './folder-storage.ts'
import { checkSharedStorage, OtherStorage } from './shared-storage.ts'

async function openStorages() {
  const fixture = await openAccessFixture()
  const folders = ['one', 'other'].map((name) => join(fixture.dataDir, name)) as [string, string]
  return { fixture, db: fixture.db, folders, [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose]() }
}

test('the first node gives an id to the storage, which the others find', async () => {
  await using opened = await openStorages()
  const [folder] = opened.folders
  await Promise.all(Array.from({ length: 3 }, () => checkSharedStorage(opened.db, new FolderStorage(folder))))
  await checkSharedStorage(opened.db, new FolderStorage(folder))
  expect(await new FolderStorage(folder).readNote('storage-id')).toMatch(/^\S{8,}$/)
})

test('a node with a storage of its own is refused, until the id of the others stands there', async () => {
  await using opened = await openStorages()
  const [one, other] = opened.folders.map((folder) => new FolderStorage(folder)) as [
    FolderStorage,
    FolderStorage,
  ]
  await checkSharedStorage(opened.db, one)
  const known = (await one.readNote('storage-id'))!
  await other.writeNote('storage-id', 'of-another')
  const refused = checkSharedStorage(opened.db, other)
  await expect(refused).rejects.toThrow(OtherStorage)
  await expect(refused).rejects.toThrow(
    `the id of the storage is of-another, and the database knows ${known}`,
  )
  await writeFile(join(opened.folders[1], 'storage-id'), `${known}\n`)
  await checkSharedStorage(opened.db, other)
})

test('so is one whose folder is empty', async () => {
  await using opened = await openStorages()
  const [one, other] = opened.folders.map((folder) => new FolderStorage(folder)) as [
    FolderStorage,
    FolderStorage,
  ]
  await checkSharedStorage(opened.db, one)
  await expect(checkSharedStorage(opened.db, other)).rejects.toThrow('the id of the storage is missing')
})

test('a storage that fails when it gets its first id is the database’s at the next start', async () => {
  await using opened = await openStorages()
  const storage = new FolderStorage(opened.folders[0])
  const failing = Object.assign(new FolderStorage(opened.folders[0]), {
    writeNote: () => Promise.reject(new Error('503')),
  })
  await expect(checkSharedStorage(opened.db, failing)).rejects.toThrow('503')
  await checkSharedStorage(opened.db, storage)
  expect(await storage.readNote('storage-id')).toMatch(/^\S{8,}$/)
})

test('a storage that has an id is known by it to a database that is new', async () => {
  await using opened = await openStorages()
  const storage = new FolderStorage(opened.folders[0])
  await storage.writeNote('storage-id', 'from-before')
  await checkSharedStorage(opened.db, storage)
  expect(await storage.readNote('storage-id')).toBe('from-before')
})
