import { IDBFactory } from 'fake-indexeddb'
import { expect, test } from 'vitest'
import { LocalFiles } from '../../files/local-files.ts'
import { hasLocalFiles, hasLocalRows } from './has-local-rows.ts'
import { LocalStore } from './local-store.ts'

const owner = { document: 'one', part: 'body', window: 'w.1' } as const

test('[D6] a browser that stores nothing has no rows, and gets no database', async () => {
  const factory = new IDBFactory()
  expect(await hasLocalRows(undefined)).toBe(false)
  expect(await hasLocalRows(factory)).toBe(false)
  expect(await factory.databases()).toEqual([])
})

test('[D6] rows of any window are found, and hold up nobody who deletes the database', async () => {
  const factory = new IDBFactory()
  const store = new LocalStore(factory)
  await store.append(owner, 'user:one', [{ n: 1, update: Uint8Array.of(1), changes: 1 }])
  expect(await hasLocalRows(factory)).toBe(true)
  await store.close()
  const request = factory.deleteDatabase('diptych')
  await new Promise((resolve, reject) => {
    request.onsuccess = resolve
    request.onblocked = reject
  })
  expect(await hasLocalRows(factory)).toBe(false)
})

test('a browser that refuses to open the database has none', async () => {
  const refusing = {
    open: () => {
      throw new DOMException('not here', 'SecurityError')
    },
  }
  expect(await hasLocalRows(refusing)).toBe(false)
})

test('[F2] files are found, and none where nothing was stored', async () => {
  const factory = new IDBFactory()
  expect(await hasLocalFiles(factory)).toBe(false)
  expect(await factory.databases()).toEqual([])
  const files = new LocalFiles(factory)
  const bytes = new Blob(['a'])
  await files.add({ id: 'a', documents: ['one'], principal: '', name: '', type: '', bytes })
  expect(await hasLocalFiles(factory)).toBe(true)
  await files.close()
})
