import { IDBFactory } from 'fake-indexeddb'
import { afterEach, expect, test, vi } from 'vitest'
import * as Y from 'yjs'
import { storeHere } from '@/lib/sync/local/here.ts'
import { rememberPrincipal } from '@/lib/sync/local/principal.ts'
import { deviceDocuments } from './device-documents.ts'
import { askWho } from './me.ts'

afterEach(() => vi.unstubAllGlobals())

test('[D6] whoever is somebody else by now is not shown what the one before left on this device', async () => {
  const kept = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  })
  vi.stubGlobal('indexedDB', new IDBFactory())
  vi.stubGlobal('window', globalThis)
  vi.stubGlobal('fetch', async () => Response.json({ id: 'user:two', name: 'Second' }))
  const copy = { document: 'one', part: 'body', title: 'Plan', role: 'owner', schema: 1, at: 1 } as const
  const nothing = Y.encodeStateAsUpdate(new Y.Doc())
  await storeHere()!.compact({ ...copy, principal: 'user:one' }, nothing, { window: 'w.1', upTo: 0 })
  rememberPrincipal('user:one')
  expect(await deviceDocuments()).toMatchObject([{ id: 'one', title: 'Plan' }])
  await askWho()
  expect(await deviceDocuments()).toEqual([])
})
