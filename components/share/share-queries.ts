'use client'

import { type InfiniteData, useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import { api, type PeoplePage, type PersonWithAccess } from '@/components/http-api.ts'
import { queryClient } from '@/components/query-client.ts'

const shareKey = (document: string) => ['share', document] as const

export const useShareLinks = (document: string) =>
  useQuery(
    {
      queryKey: [...shareKey(document), 'links'],
      queryFn: ({ signal }) => api.listShareLinks(document, signal),
      staleTime: 0,
    },
    queryClient,
  )

/** The pages of the list fetched so far, as one. */
export const usePeopleWithAccess = (document: string) =>
  useInfiniteQuery<PeoplePage, Error, readonly PersonWithAccess[], readonly string[], string | null>(
    {
      queryKey: [...shareKey(document), 'people'],
      queryFn: ({ pageParam, signal }) => api.listPeopleWithAccess(document, pageParam, signal),
      initialPageParam: null,
      getNextPageParam: ({ next }) => next,
      select: ({ pages }: InfiniteData<PeoplePage>) => pages.flatMap(({ people }) => people),
      staleTime: 0,
    },
    queryClient,
  )

/** Sends a change; then links and people are fetched again. */
export const useShareChange = <Value, Answer>(
  document: string,
  sendChange: (value: Value) => Promise<Answer>,
) =>
  useMutation(
    {
      mutationFn: sendChange,
      onSettled: () => void queryClient.invalidateQueries({ queryKey: shareKey(document) }),
    },
    queryClient,
  )
