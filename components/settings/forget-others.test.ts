import { IDBFactory } from 'fake-indexeddb'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import * as Y from 'yjs'
import { rememberMe } from '@/components/documents/me.ts'
import { browserLocalStore } from '@/lib/sync/local/browser-store.ts'
import { forgetOthers, leftByOthers } from './forget-others.ts'

const kept = new Map<string, string>()
const row = { update: Y.encodeStateAsUpdate(new Y.Doc()), changes: 1 }
let me = { id: 'user:ada', name: 'Ada' }

const leave = (window: string, principal: string) =>
  browserLocalStore()!.append({ document: 'plan', part: 'body', window }, principal, [{ ...row, n: 1 }])
const authors = async () =>
  (await browserLocalStore()!.listUnsavedRows()).map(({ principal }) => principal).toSorted()

beforeEach(async () => {
  kept.clear()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  })
  vi.stubGlobal('sessionStorage', { clear() {} })
  vi.stubGlobal('indexedDB', new IDBFactory())
  vi.stubGlobal('window', globalThis)
  vi.stubGlobal('fetch', async () => Response.json(me))
  await browserLocalStore()!.removeOtherPeopleData('nobody')
  await leave('w.1', 'user:ada')
  await leave('w.2', 'user:bob')
})
afterEach(async () => {
  await browserLocalStore()!.removeOtherPeopleData('nobody')
  vi.unstubAllGlobals()
})

test('[A3] whose texts are others’ is said by the server, and not by what the browser knew last', async () => {
  rememberMe({ id: 'user:bob', name: 'Bob' })
  const left = (await leftByOthers())!
  expect(left).toEqual({ documents: 1, unsent: true, principal: 'user:ada' })
  await forgetOthers(left)
  expect(await authors()).toEqual(['user:ada'])
})

test('[A3] where somebody else signs in meanwhile, nothing is removed that was not told of', async () => {
  const left = (await leftByOthers())!
  rememberMe((me = { id: 'user:eve', name: 'Eve' }))
  await expect(forgetOthers(left)).rejects.toThrow('Somebody else')
  expect(await authors()).toEqual(['user:ada', 'user:bob'])
})
