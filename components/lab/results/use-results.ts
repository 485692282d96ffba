'use client'

import { useSyncExternalStore } from 'react'
import { toast } from '@/components/ui/toast'
import type { Surroundings } from './reading'
import { keepResults, keptResults, type ResultKind } from './sharing'
import { notifyAll } from '@/lib/notify-all.ts'
import { strings } from '@/lib/strings/lab.ts'

export interface Results<Result extends Surroundings> {
  readonly list: readonly Result[]
  readonly has: (result: Result) => boolean
  readonly add: (result: Result) => void
  readonly remove: (result: Result) => void
}

const none: readonly never[] = []

/** What this browser keeps of one kind, newest first: the same for everything on the page that asks. */
export function resultsOf<Result extends Surroundings>(kind: ResultKind<Result>): () => Results<Result> {
  let list: readonly Result[] | undefined
  const listeners = new Set<() => void>()
  const get = (): readonly Result[] => (list ??= keptResults(kind, () => localStorage))
  const set = (next: readonly Result[]): void => {
    list = next
    if (!keepResults(kind, next, () => localStorage)) toast.error(strings.actions.notSaved)
    notifyAll(listeners)
  }
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }
  const without = ({ at }: Result) => get().filter((one) => one.at !== at)
  const add = (result: Result) => set([result, ...without(result)])
  const remove = (result: Result) => set(without(result))
  return function useResults() {
    const results = useSyncExternalStore(subscribe, get, () => none)
    const has = ({ at }: Result) => results.some((one) => one.at === at)
    return { list: results, has, add, remove }
  }
}
