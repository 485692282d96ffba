/** The matches of a search that the text highlights. The search itself is loaded with its panel. */
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { OpenDocument } from '@/lib/client.ts'
import type { SearchMatch } from '@/lib/text/search-match.ts'

export interface ShownMatches {
  readonly matches: readonly SearchMatch[]
  /** The index in `matches` of the one that the person was brought to; null for none. */
  readonly current: number | null
}

const stores = new WeakMap<OpenDocument, StoreApi<ShownMatches>>()

/** One store for each document of this window. */
export function shownMatchesOf(opened: OpenDocument): StoreApi<ShownMatches> {
  const existing = stores.get(opened)
  if (existing) return existing
  const store = createStore<ShownMatches>(() => ({ matches: [], current: null }))
  stores.set(opened, store)
  return store
}
