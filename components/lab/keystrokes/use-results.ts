'use client'

import { useCallback, useSyncExternalStore } from 'react'
import { toast } from '@/components/ui/toast'
import type { LabResult } from './result'
import { keepResults, keptResults } from './sharing'

export interface Results {
  readonly list: readonly LabResult[]
  readonly has: (result: LabResult) => boolean
  readonly add: (result: LabResult) => void
  readonly remove: (result: LabResult) => void
}

const none: readonly LabResult[] = []
let list: readonly LabResult[] | undefined
const listeners = new Set<() => void>()

const get = (): readonly LabResult[] => (list ??= keptResults(() => localStorage))

function set(next: readonly LabResult[]): void {
  list = next
  if (!keepResults(next, () => localStorage)) toast.error('This browser keeps nothing for this site.')
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** What this browser keeps, newest first. */
export function useResults(): Results {
  const results = useSyncExternalStore(subscribe, get, () => none)
  const has = useCallback((result: LabResult) => results.some(({ at }) => at === result.at), [results])
  return {
    list: results,
    has,
    add: (result) => set([result, ...get().filter(({ at }) => at !== result.at)]),
    remove: (result) => set(get().filter(({ at }) => at !== result.at)),
  }
}
