'use client'

import { type InfiniteData, useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import {
  api,
  type DocumentEntry,
  type DocumentListPage,
  type ListedEntry,
  type PlacementChange,
  type TrashedEntry,
} from '@/components/http-api.ts'
import { useRedeemedLinks } from '@/components/profile/redeemed-link.ts'
import { storageKey } from '@/components/storage/storage-query.ts'
import { queryClient } from '@/components/query-client.ts'
import { listDeviceDocuments, removeFromDevice } from './device-documents.ts'

const documentsKey = ['documents'] as const
const trashKey = ['trash'] as const

/** In ms. A server that could not be reached is tried again automatically. */
const RETRY_INTERVAL_MS = 5_000

type FetchedPages<Entry> = InfiniteData<DocumentListPage<Entry>, string | null>

const pagedQueryOptions = <Entry>() => ({
  initialPageParam: null,
  getNextPageParam: ({ next }: DocumentListPage<Entry>) => next,
  select: ({ pages }: FetchedPages<Entry>): readonly Entry[] => pages.flatMap(({ documents }) => documents),
  refetchInterval: ({ state }: { state: { status: string } }) =>
    state.status === 'error' ? RETRY_INTERVAL_MS : (false as const),
})

type ListChoice = Required<Pick<Parameters<typeof api.listDocuments>[0], 'filter' | 'folder' | 'sort'>>

const defaultListChoice: ListChoice = { filter: 'all', folder: '', sort: 'edited' }

/** The pages of the list fetched so far, as one. While a search is under way, it is the list of the search before. */
export const useDocuments = ({ filter, folder, sort } = defaultListChoice, search = '') =>
  useInfiniteQuery<
    DocumentListPage<ListedEntry>,
    Error,
    readonly ListedEntry[],
    readonly string[],
    string | null
  >(
    {
      queryKey: [...documentsKey, filter, folder, sort, search],
      queryFn: ({ pageParam: cursor, signal }) =>
        api.listDocuments({ filter, folder, sort, search, cursor }, signal),
      placeholderData: (previous, query) =>
        query?.queryKey.slice(1, 4).join() === [filter, folder, sort].join() ? previous : undefined,
      ...pagedQueryOptions<ListedEntry>(),
    },
    queryClient,
  )

/** The pages of the trash fetched so far, as one. */
export const useTrash = () =>
  useInfiniteQuery<
    DocumentListPage<TrashedEntry>,
    Error,
    readonly TrashedEntry[],
    readonly string[],
    string | null
  >(
    {
      queryKey: trashKey,
      queryFn: ({ pageParam: cursor, signal }) => api.listTrash(cursor, signal),
      staleTime: 0,
      ...pagedQueryOptions<TrashedEntry>(),
    },
    queryClient,
  )

// A redeemed link adds its document to the list.
useRedeemedLinks.subscribe(() => void queryClient.invalidateQueries({ queryKey: documentsKey }))

/** The documents that this browser holds a copy of, online or offline. */
export const useDeviceDocuments = () =>
  useQuery(
    { queryKey: ['device-documents'], queryFn: listDeviceDocuments, retry: false, gcTime: 0 },
    queryClient,
  )

/** Changes the row with the answer. Afterwards, or after a refusal, it fetches the server's list again. */
function useListChange<Entry, Value, Answer>(
  queryKey: readonly string[],
  sendChange: (value: Value) => Promise<Answer>,
  changeList: (list: readonly Entry[], value: Value) => readonly Entry[],
) {
  return useMutation(
    {
      mutationFn: sendChange,
      onSuccess: (_answer, value) =>
        queryClient.setQueriesData<FetchedPages<Entry>>(
          { queryKey },
          (data) => data && withChangedLists(data, (list) => changeList(list, value)),
        ),
      onSettled: () => [documentsKey, trashKey, storageKey].forEach((listKey) => void fetchAgain(listKey)),
    },
    queryClient,
  )
}

/** After documents were made elsewhere than in the list. */
export const fetchListAgain = (): void =>
  [documentsKey, storageKey].forEach((listKey) => void fetchAgain(listKey))

/** A list that is on its way for the first time may be older than the change, and would not be fetched again beside. */
async function fetchAgain(queryKey: readonly string[]): Promise<void> {
  await queryClient.cancelQueries({ queryKey })
  await queryClient.invalidateQueries({ queryKey })
}

const withChangedLists = <Entry>(
  { pages, pageParams }: FetchedPages<Entry>,
  changeList: (list: readonly Entry[]) => readonly Entry[],
): FetchedPages<Entry> => ({
  pageParams,
  pages: pages.map(({ documents, next }) => ({ documents: changeList(documents), next })),
})

const withoutEntry = <Entry extends { readonly id: string }>(list: readonly Entry[], id: string) =>
  list.filter((entry) => entry.id !== id)

export const useMoveToTrash = () =>
  useListChange<DocumentEntry, string, void>(documentsKey, moveToTrashAndForget, withoutEntry)

export const useRestore = () =>
  useListChange<TrashedEntry, string, void>(trashKey, api.restoreDocument, withoutEntry)

export const useDeleteForGood = () =>
  useListChange<TrashedEntry, string, void>(trashKey, api.deleteForGood, withoutEntry)

/** The server sorts the list, so its answer says where the copy goes. */
export const useDuplicate = () =>
  useListChange<DocumentEntry, string, DocumentEntry>(
    documentsKey,
    (id) => api.duplicateDocument(id),
    (list) => list,
  )

async function moveToTrashAndForget(id: string): Promise<void> {
  await api.moveToTrash(id)
  // A copy that cannot be removed now is removed when somebody opens the document.
  await removeFromDevice(id).catch(() => undefined)
}

interface RenameInput {
  readonly id: string
  readonly title: string
}

interface PlaceInput extends PlacementChange {
  readonly id: string
}

/** Lists that show what was placed somewhere are fetched again; in all others the row alone changes. */
export const usePlaceDocument = () =>
  useMutation(
    {
      mutationFn: ({ id, ...change }: PlaceInput) => api.placeDocument(id, change),
      onSuccess: (placement, { id }) =>
        queryClient.setQueriesData<FetchedPages<ListedEntry>>(
          { queryKey: documentsKey },
          (data) =>
            data &&
            withChangedLists(data, (list) =>
              list.map((entry) => (entry.id === id ? { ...entry, ...placement } : entry)),
            ),
        ),
      onSettled: () => fetchPlacedListsAgain(),
    },
    queryClient,
  )

/** After folders were changed. */
export const fetchPlacedListsAgain = (): void =>
  void queryClient.invalidateQueries({
    queryKey: documentsKey,
    predicate: ({ queryKey: [, filter, folder, sort] }) =>
      filter === 'favourites' || filter === 'templates' || folder !== '' || sort === 'opened',
  })

export const useRenameDocument = () =>
  useListChange<DocumentEntry, RenameInput, DocumentEntry>(
    documentsKey,
    ({ id, title }) => api.renameDocument(id, title),
    (list, { id, title }) => list.map((entry) => (entry.id === id ? { ...entry, title } : entry)),
  )
