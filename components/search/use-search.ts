'use client'

import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { ApiRequestError, api } from '@/components/http-api.ts'
import { queryClient } from '@/components/query-client.ts'
import { useDebounced } from '@/components/documents/use-debounced.ts'
import type { SearchResult } from './search-result-type.ts'

/** In ms without a key press. */
const SEARCH_DEBOUNCE_MS = 120

export interface SearchAnswer {
  readonly results: readonly SearchResult[]
  readonly isSearching: boolean
  /** A sentence; null where the server has answered. */
  readonly problem: string | null
  /** The server could not be asked. */
  readonly isOnDevice: boolean
  readonly retry: (() => void) | null
  /** Null where there are no more. */
  readonly showMore: (() => void) | null
}

/** Asks the server as one types; without it, searches what this device holds. */
export function useSearch(typed: string): SearchAnswer {
  const query = useDebounced(typed.trim(), SEARCH_DEBOUNCE_MS)
  const isWanted = query !== ''
  const server = useInfiniteQuery(
    {
      queryKey: ['search', query],
      queryFn: ({ pageParam: cursor, signal }) => api.search(query, cursor, signal),
      initialPageParam: null as string | null,
      getNextPageParam: ({ next }) => next,
      placeholderData: (previous) => previous,
      enabled: isWanted,
      retry: false,
      staleTime: 0,
      gcTime: 0,
    },
    queryClient,
  )
  const { error } = server
  const isOnDevice = error instanceof ApiRequestError && error.status === 0
  const device = useQuery(
    {
      queryKey: ['search on device', query],
      queryFn: async ({ signal }) => (await import('./search-device.ts')).searchDevice(query, signal),
      enabled: isWanted && isOnDevice,
      retry: false,
      gcTime: 0,
    },
    queryClient,
  )
  const isWaiting = typed.trim() !== query
  if (typed.trim() === '') return noAnswer
  return {
    results: isOnDevice
      ? (device.data ?? [])
      : error
        ? []
        : (server.data?.pages.flatMap(({ results }) => results) ?? []),
    isSearching: isWaiting || (isOnDevice ? device.isFetching : server.isFetching),
    problem: isWaiting ? null : (error?.message ?? null),
    isOnDevice,
    retry: isOnDevice ? () => void server.refetch() : null,
    showMore: server.hasNextPage && !error ? () => void server.fetchNextPage() : null,
  }
}

const noAnswer: SearchAnswer = {
  results: [],
  isSearching: false,
  problem: null,
  isOnDevice: false,
  retry: null,
  showMore: null,
}
