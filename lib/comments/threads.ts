/** The threads of one comments document, kept current. An object stays the same one until something in it changes. */
import type * as Y from 'yjs'
import { MAX_THREADS, readThread, type Thread, threadsOf } from './thread.ts'
import { notifyAll } from '../notify-all.ts'

export interface Threads {
  /** In no order; the same array until something changes. */
  get(): readonly Thread[]
  subscribe(listener: () => void): () => void
}

const known = new WeakMap<Y.Doc, Threads>()

/** One for each document, which it lives as long as. */
export function threadsIn(doc: Y.Doc): Threads {
  const before = known.get(doc)
  if (before) return before
  const threads = watchThreads(doc)
  known.set(doc, threads)
  return threads
}

function watchThreads(doc: Y.Doc): Threads {
  const stored = threadsOf(doc)
  const read = new Map<string, Thread | null>()
  const listeners = new Set<() => void>()
  let all: readonly Thread[] | undefined
  stored.observeDeep((events) => {
    for (const event of events) forget(event)
    all = undefined
    notifyAll(listeners)
  })
  const forget = (event: Y.YEvent<Y.AbstractType<unknown>>): void => {
    const [id] = event.path
    if (id === undefined) for (const key of event.keys.keys()) read.delete(key)
    else read.delete(String(id))
  }
  const readOnce = (id: string): Thread | null => {
    const thread = read.has(id) ? read.get(id)! : readThread(id, stored.get(id))
    read.set(id, thread)
    return thread
  }
  const get = () =>
    (all ??= idsIn(stored)
      .map(readOnce)
      .filter((thread) => thread !== null))
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }
  return { get, subscribe }
}

const idsIn = (stored: Y.Map<unknown>): string[] => [...stored.keys()].slice(0, MAX_THREADS)
