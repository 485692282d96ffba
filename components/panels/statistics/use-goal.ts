'use client'

import { useCallback, useSyncExternalStore } from 'react'
import type { OpenDocument } from '@/lib/client.ts'
import { goalsIn, readGoal, setGoal } from './goal.ts'

interface OwnGoal {
  readonly words: number | null
  set(words: number | null): void
}

/** The goal, the same in all windows of this person. Null if there is no desk to store it in. */
export function useGoal({ desk }: OpenDocument, document: string): OwnGoal | null {
  const doc = desk?.doc
  const subscribe = useCallback(
    (listener: () => void) => {
      if (!doc) return () => {}
      const goals = goalsIn(doc)
      goals.observe(listener)
      return () => goals.unobserve(listener)
    },
    [doc],
  )
  const get = () => (doc ? (readGoal(goalsIn(doc).get(document))?.words ?? null) : null)
  const words = useSyncExternalStore(subscribe, get, get)
  return doc ? { words, set: (newWords) => setGoal(doc, document, newWords) } : null
}
