/** Keeps the threads of one comments document current. An object stays the same one until something in it changes. */
import type * as Y from 'yjs'
import { MAX_THREADS, readThread, type Thread, storedThreadsOf } from './stored-thread.ts'
import { Subscribable } from '../subscribable.ts'

export interface ThreadStore {
  /** The threads in no order; the same array until something changes. */
  get(): readonly Thread[]
  subscribe(listener: () => void): () => void
}

const storesByDoc = new WeakMap<Y.Doc, ThreadStore>()

/** Returns one store for each document, and it lives as long as that. */
export function threadStoreOf(doc: Y.Doc): ThreadStore {
  const existing = storesByDoc.get(doc)
  if (existing) return existing
  const store = createThreadStore(doc)
  storesByDoc.set(doc, store)
  return store
}

function createThreadStore(doc: Y.Doc): ThreadStore {
  const stored = storedThreadsOf(doc)
  const cache = new Map<string, Thread | null>()
  const listeners = new Subscribable()
  let snapshot: readonly Thread[] | undefined
  stored.observeDeep((events) => {
    for (const event of events) invalidate(event)
    snapshot = undefined
    listeners.notify()
  })
  const invalidate = (event: Y.YEvent<Y.AbstractType<unknown>>): void => {
    const [id] = event.path
    if (id === undefined) for (const key of event.keys.keys()) cache.delete(key)
    else cache.delete(String(id))
  }
  const readOnce = (id: string): Thread | null => {
    const thread = cache.has(id) ? cache.get(id)! : readThread(id, stored.get(id))
    cache.set(id, thread)
    return thread
  }
  const get = () =>
    (snapshot ??= idsIn(stored)
      .map(readOnce)
      .filter((thread) => thread !== null))
  return { get, subscribe: listeners.subscribe }
}

const idsIn = (stored: Y.Map<unknown>): string[] => [...stored.keys()].slice(0, MAX_THREADS)
