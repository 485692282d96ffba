'use client'

import { useSyncExternalStore } from 'react'
import { toast } from '@/components/ui/toast.ts'
import type { ResultEnvironment } from './read-result.ts'
import { storeResults, readStoredResults, type ResultKind } from './result-storage.ts'
import { Subscribable } from '@/lib/subscribable.ts'
import { labStrings } from '@/lib/strings/lab.ts'

export interface ResultsStore<Result extends ResultEnvironment> {
  readonly list: readonly Result[]
  readonly has: (result: Result) => boolean
  readonly add: (result: Result) => void
  readonly remove: (result: Result) => void
}

const noResults: readonly never[] = []

/** The stored results of one kind, newest first: the same list for every user of it on the page. */
export function createUseResults<Result extends ResultEnvironment>(
  kind: ResultKind<Result>,
): () => ResultsStore<Result> {
  let list: readonly Result[] | undefined
  const listeners = new Subscribable()
  const get = (): readonly Result[] => (list ??= readStoredResults(kind, () => localStorage))
  const set = (next: readonly Result[]): void => {
    list = next
    if (!storeResults(kind, next, () => localStorage)) toast.error(labStrings.actions.notSaved)
    listeners.notify()
  }
  const resultsWithout = ({ at }: Result) => get().filter((one) => one.at !== at)
  const add = (result: Result) => set([result, ...resultsWithout(result)])
  const remove = (result: Result) => set(resultsWithout(result))
  return function useResults() {
    const results = useSyncExternalStore(listeners.subscribe, get, () => noResults)
    const has = ({ at }: Result) => results.some((one) => one.at === at)
    return { list: results, has, add, remove }
  }
}
