import { IDBFactory } from 'fake-indexeddb'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import * as Y from 'yjs'
import { rememberProfile } from '@/components/profile/remembered-profile.ts'
import { browserLocalStore } from '@/lib/sync/local/browser-store.ts'
import { removeOtherPeopleData, findOtherPeopleData } from './remove-other-people-data.ts'

const storedItems = new Map<string, string>()
const row = { update: Y.encodeStateAsUpdate(new Y.Doc()), changes: 1 }
let me = { id: 'user:ada', name: 'Ada' }

const storeRowOf = (window: string, principal: string) =>
  browserLocalStore()!.append({ document: 'plan', part: 'body', window }, principal, [{ ...row, n: 1 }])
const authors = async () =>
  (await browserLocalStore()!.listUnsavedRows()).map(({ principal }) => principal).toSorted()

beforeEach(async () => {
  storedItems.clear()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => storedItems.get(key) ?? null,
    setItem: (key: string, value: string) => void storedItems.set(key, value),
    removeItem: (key: string) => void storedItems.delete(key),
  })
  vi.stubGlobal('sessionStorage', { clear() {} })
  vi.stubGlobal('indexedDB', new IDBFactory())
  vi.stubGlobal('window', globalThis)
  vi.stubGlobal('fetch', async () => Response.json(me))
  await browserLocalStore()!.removeOtherPeopleData('nobody')
  await storeRowOf('w.1', 'user:ada')
  await storeRowOf('w.2', 'user:bob')
})
afterEach(async () => {
  await browserLocalStore()!.removeOtherPeopleData('nobody')
  vi.unstubAllGlobals()
})

test('[A3] the server decides whose texts are other people’s, not what the browser remembers', async () => {
  rememberProfile({ id: 'user:bob', name: 'Bob' })
  const found = (await findOtherPeopleData())!
  expect(found).toEqual({ documents: 1, unsent: true, principal: 'user:ada' })
  await removeOtherPeopleData(found)
  expect(await authors()).toEqual(['user:ada'])
})

test('[A3] if somebody else signs in meanwhile, nothing is removed that this person was not told about', async () => {
  const found = (await findOtherPeopleData())!
  rememberProfile((me = { id: 'user:eve', name: 'Eve' }))
  await expect(removeOtherPeopleData(found)).rejects.toThrow('Somebody else')
  expect(await authors()).toEqual(['user:ada', 'user:bob'])
})
