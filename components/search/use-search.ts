'use client'

import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { queryClient } from '@/components/query-client.ts'
import { useDebounced } from '@/components/ui/use-debounced.ts'
import { findPage, resultsOf } from './find-page.ts'
import type { SearchChoices } from './search-choices.ts'
import type { DeviceTexts } from './search-device.ts'
import type { SearchResult } from './search-result-type.ts'

/** In ms without a key press. */
const SEARCH_DEBOUNCE_MS = 120

export interface SearchAnswer {
  /** The results answer this query: an earlier one than is typed, until the server has answered that. */
  readonly query: string
  readonly results: readonly SearchResult[]
  readonly isSearching: boolean
  /** Sentences; null where the server has answered. */
  readonly problem: string | null
  /** False where nothing was searched. */
  readonly isAnswer: boolean
  readonly retry: (() => void) | null
  /** Null where there are no more. */
  readonly showMore: (() => void) | null
}

/** Asks the server as one types; without it, searches what this device holds. */
export function useSearch(typed: string, choices: SearchChoices): SearchAnswer {
  const wanted = typed.trim()
  const query = useDebounced(wanted, SEARCH_DEBOUNCE_MS)
  const [texts] = useState<DeviceTexts>(() => new Map())
  const { data, error, isFetching, hasNextPage, refetch, fetchNextPage } = useInfiniteQuery(
    {
      queryKey: ['search', query, choices],
      queryFn: ({ pageParam: cursor, signal }) => findPage(query, choices, cursor, texts, signal),
      initialPageParam: null as string | null,
      getNextPageParam: ({ next }) => next,
      placeholderData: (previous) => previous,
      enabled: query !== '',
      retry: false,
      staleTime: 0,
      gcTime: 0,
    },
    queryClient,
  )
  const first = data?.pages[0]
  const isSearching = wanted !== query || isFetching
  if (wanted === '') return noAnswer
  if (!first) return { ...noAnswer, isSearching, problem: error?.message ?? null, isAnswer: !error }
  return {
    query: first.query,
    results: resultsOf(data.pages),
    isSearching,
    problem: first.problem ?? error?.message ?? null,
    isAnswer: first.isAnswer,
    retry: first.canRetry ? () => void refetch() : null,
    showMore: hasNextPage ? () => void fetchNextPage() : null,
  }
}

const noAnswer: SearchAnswer = {
  query: '',
  results: [],
  isSearching: false,
  problem: null,
  isAnswer: true,
  retry: null,
  showMore: null,
}
