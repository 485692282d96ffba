import { IDBFactory } from 'fake-indexeddb'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import * as Y from 'yjs'
import { browserLocalStore } from '@/lib/sync/local/browser-store.ts'
import { rememberPrincipal } from '@/lib/sync/local/remembered-principal.ts'
import { listDeviceDocuments, removeFromDevice } from './device-documents.ts'
import { fetchProfile } from '@/components/profile/remembered-profile.ts'

const storedItems = new Map<string, string>()

beforeEach(async () => {
  storedItems.clear()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => storedItems.get(key) ?? null,
    setItem: (key: string, value: string) => void storedItems.set(key, value),
  })
  vi.stubGlobal('indexedDB', new IDBFactory())
  vi.stubGlobal('window', globalThis)
  vi.stubGlobal('fetch', async () => Response.json({ id: 'user:two', name: 'Second' }))
  const copy = { document: 'one', part: 'body', title: 'Plan', role: 'owner', schema: 1, at: 1 } as const
  const emptyUpdate = Y.encodeStateAsUpdate(new Y.Doc())
  await browserLocalStore()!.compact({ ...copy, principal: 'user:one' }, emptyUpdate, {
    window: 'w.1',
    upTo: 0,
  })
  rememberPrincipal('user:one')
  expect(await listDeviceDocuments()).toMatchObject([{ id: 'one', title: 'Plan' }])
})
afterEach(() => vi.unstubAllGlobals())

test('[D6] a new person is not shown what the previous one left on this device', async () => {
  await fetchProfile()
  expect(await listDeviceDocuments()).toEqual([])
})

test('[D6] a document that its owner deleted is removed from this device at once', async () => {
  await removeFromDevice('one')
  expect(await listDeviceDocuments()).toEqual([])
})
