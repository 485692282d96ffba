'use client'

import { useMutation, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { api, type FolderEntry } from '@/components/http-api.ts'
import { queryClient } from '@/components/query-client.ts'
import { rememberedPrincipal } from '@/lib/sync/local/remembered-principal.ts'
import { readDeviceOrder } from './device-order.ts'
import { fetchPlacedListsAgain } from './document-queries.ts'

const foldersKey = ['folders'] as const

/** In ms. A server that could not be reached is tried again automatically. */
const RETRY_INTERVAL_MS = 5_000

const noFolders: ReadonlyMap<string, FolderEntry> = new Map()

const selectById = (folders: readonly FolderEntry[]): ReadonlyMap<string, FolderEntry> =>
  new Map(folders.map((folder) => [folder.id, folder]))

/** A person's folders by their ids; empty until they are fetched. Without the server they are those that this browser saw last. */
export function useFolders() {
  const { data, error, errorUpdateCount } = useQuery(
    {
      queryKey: foldersKey,
      queryFn: ({ signal }) => api.listFolders(signal),
      select: selectById,
      refetchInterval: ({ state }) => state.status === 'error' && RETRY_INTERVAL_MS,
    },
    queryClient,
  )
  // `error` is null again while the request is repeated.
  const hasFailed = errorUpdateCount > 0
  const deviceFolders = useMemo(
    () => (hasFailed ? selectById(readDeviceOrder(rememberedPrincipal()).folders) : noFolders),
    [hasFailed],
  )
  return { folders: data ?? deviceFolders, isFetched: data !== undefined, error }
}

/** Another window may have changed them as well, so they are fetched again after each change. */
const useFolderChange = <Value, Answer>(mutationFn: (value: Value) => Promise<Answer>) =>
  useMutation(
    {
      mutationFn,
      onSettled: async () => {
        fetchPlacedListsAgain()
        await queryClient.invalidateQueries({ queryKey: foldersKey })
      },
    },
    queryClient,
  )

export const useCreateFolder = () => useFolderChange(api.createFolder)

export const useChangeFolder = () =>
  useFolderChange(({ id, ...change }: Pick<FolderEntry, 'id'> & Partial<FolderEntry>) =>
    api.changeFolder(id, change),
  )

export const useDeleteFolder = () => useFolderChange(api.deleteFolder)

export const useRestoreFolder = () => useFolderChange(api.restoreFolder)
