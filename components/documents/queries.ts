'use client'

import {
  type InfiniteData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { api, type DocumentEntry, type ListPage, type TrashedEntry } from '@/components/api'
import type { ListFilter, ListSort } from '@/lib/desk/settings.ts'
import { askWho, rememberedMe } from './me'
import { deviceDocuments, forgetOnDevice } from './device-documents'

const key = ['documents'] as const
const trashKey = ['trash'] as const

/** ms; a server that could not be reached is asked again by itself. */
const AGAIN_MS = 5_000

type Pages<Entry> = InfiniteData<ListPage<Entry>, string | null>

const inPages = <Entry>() => ({
  initialPageParam: null,
  getNextPageParam: ({ next }: ListPage<Entry>) => next,
  select: ({ pages }: Pages<Entry>): readonly Entry[] => pages.flatMap(({ documents }) => documents),
  refetchInterval: ({ state }: { state: { status: string } }) =>
    state.status === 'error' ? AGAIN_MS : (false as const),
})

interface ListChoice {
  readonly filter: ListFilter
  readonly sort: ListSort
}

const latestOfAll: ListChoice = { filter: 'all', sort: 'edited' }

/** The pages of the list that were fetched so far, as one. While a search is on its way, the list of the one before it. */
export const useDocuments = ({ filter, sort } = latestOfAll, search = '') =>
  useInfiniteQuery<
    ListPage<DocumentEntry>,
    Error,
    readonly DocumentEntry[],
    readonly string[],
    string | null
  >({
    queryKey: [...key, filter, sort, search],
    queryFn: ({ pageParam: cursor }) => api.documents({ filter, sort, search, cursor }),
    placeholderData: (former, query) =>
      query?.queryKey[1] === filter && query.queryKey[2] === sort ? former : undefined,
    ...inPages<DocumentEntry>(),
  })

/** The pages of the trash that were fetched so far, as one. */
export const useTrash = () =>
  useInfiniteQuery<ListPage<TrashedEntry>, Error, readonly TrashedEntry[], readonly string[], string | null>({
    queryKey: trashKey,
    queryFn: ({ pageParam: cursor }) => api.trash(cursor),
    staleTime: 0,
    ...inPages<TrashedEntry>(),
  })

export const meKey = ['me'] as const

/** Remembered, so that a document opens without the server, too. */
export const useMe = () =>
  useQuery({ queryKey: meKey, queryFn: askWho, placeholderData: rememberedMe, staleTime: Infinity })

/** Documents that this browser holds a copy of, whoever can be reached. */
export const useDeviceDocuments = () =>
  useQuery({ queryKey: ['device-documents'], queryFn: deviceDocuments, retry: false, gcTime: 0 })

export const useCreateDocument = () => useMutation({ mutationFn: api.create })

/** The row changes with the answer; then, or after a refusal, the server's list is fetched again. */
function useListChange<Entry, Value, Answer>(
  queryKey: readonly string[],
  run: (value: Value) => Promise<Answer>,
  change: (list: readonly Entry[], value: Value) => readonly Entry[],
) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: run,
    onSuccess: (_answer, value) =>
      client.setQueriesData<Pages<Entry>>(
        { queryKey },
        (data) => data && changed(data, (list) => change(list, value)),
      ),
    onSettled: () => [key, trashKey].forEach((one) => void client.invalidateQueries({ queryKey: one })),
  })
}

const changed = <Entry>(
  { pages, pageParams }: Pages<Entry>,
  change: (list: readonly Entry[]) => readonly Entry[],
): Pages<Entry> => ({
  pageParams,
  pages: pages.map(({ documents, next }) => ({ documents: change(documents), next })),
})

const without = <Entry extends { readonly id: string }>(list: readonly Entry[], id: string) =>
  list.filter((entry) => entry.id !== id)

export const useMoveToTrash = () => useListChange<DocumentEntry, string, void>(key, moveToTrash, without)

export const useRestore = () => useListChange<TrashedEntry, string, void>(trashKey, api.restore, without)

export const useDeleteForGood = () =>
  useListChange<TrashedEntry, string, void>(trashKey, api.deleteForGood, without)

/** The server sorts the list, so its answer says where the document stands. */
export const useDuplicate = () =>
  useListChange<DocumentEntry, string, DocumentEntry>(key, api.duplicate, (list) => list)

async function moveToTrash(id: string): Promise<void> {
  await api.moveToTrash(id)
  // What this device does not let go of now, it does when somebody opens it.
  await forgetOnDevice(id).catch(() => undefined)
}

interface Renaming {
  readonly id: string
  readonly title: string
}

export const useRenameDocument = () =>
  useListChange<DocumentEntry, Renaming, DocumentEntry>(
    key,
    ({ id, title }) => api.rename(id, title),
    (list, { id, title }) => list.map((entry) => (entry.id === id ? { ...entry, title } : entry)),
  )
