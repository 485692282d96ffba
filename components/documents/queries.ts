'use client'

import {
  type InfiniteData,
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { api, type DocumentEntry, type DocumentPage } from '@/components/api'
import { askWho, rememberedMe } from './me'
import { deviceDocuments, forgetOnDevice } from './device-documents'

const key = ['documents'] as const

/** ms; a server that could not be reached is asked again by itself. */
const AGAIN_MS = 5_000

type Pages = InfiniteData<DocumentPage, string | null>

/** The pages of the list that were fetched so far, as one. While a search is on its way, the list of the one before it. */
export const useDocuments = (search = '') =>
  useInfiniteQuery<DocumentPage, Error, readonly DocumentEntry[], string[], string | null>({
    queryKey: [...key, search],
    queryFn: ({ pageParam: cursor }) => api.documents({ search, cursor }),
    initialPageParam: null,
    getNextPageParam: ({ next }) => next,
    select: listOf,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.status === 'error' ? AGAIN_MS : false),
  })

const listOf = ({ pages }: Pages): readonly DocumentEntry[] => pages.flatMap(({ documents }) => documents)

export const meKey = ['me'] as const

/** Remembered, so that a document opens without the server, too. */
export const useMe = () =>
  useQuery({ queryKey: meKey, queryFn: askWho, placeholderData: rememberedMe, staleTime: Infinity })

/** Documents that this browser holds a copy of, whoever can be reached. */
export const useDeviceDocuments = () =>
  useQuery({ queryKey: ['device-documents'], queryFn: deviceDocuments, retry: false, gcTime: 0 })

export const useCreateDocument = () => useMutation({ mutationFn: api.create })

/** The row changes with the answer; then, or after a refusal, the server's list is fetched again. */
function useListChange<V>(
  run: (value: V) => Promise<unknown>,
  change: (list: readonly DocumentEntry[], value: V) => DocumentEntry[],
) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: run,
    onSuccess: (_answer, value) =>
      client.setQueriesData<Pages>(
        { queryKey: key },
        (data) => data && changed(data, (list) => change(list, value)),
      ),
    onSettled: () => client.invalidateQueries({ queryKey: key }),
  })
}

const changed = (
  { pages, pageParams }: Pages,
  change: (list: readonly DocumentEntry[]) => DocumentEntry[],
): Pages => ({
  pageParams,
  pages: pages.map(({ documents, next }) => ({ documents: change(documents), next })),
})

export const useRemoveDocument = () =>
  useListChange(remove, (list, id) => list.filter((entry) => entry.id !== id))

async function remove(id: string): Promise<void> {
  await api.remove(id)
  // What this device does not let go of now, it does when somebody opens it.
  await forgetOnDevice(id).catch(() => undefined)
}

interface Renaming {
  readonly id: string
  readonly title: string
}

export const useRenameDocument = () =>
  useListChange(
    ({ id, title }: Renaming) => api.rename(id, title),
    (list, { id, title }) => list.map((entry) => (entry.id === id ? { ...entry, title } : entry)),
  )
