import { rememberVersion } from '@/components/open-documents.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import * as Y from 'yjs'
import type { OpenDocument } from '@/lib/client.ts'
import { api } from '@/components/http-api.ts'
import { queryClient } from '@/components/query-client.ts'

const versionsKey = (document: string) => ['versions', document] as const

/** In ms. The server creates versions by itself and notifies nobody. */
const REFETCH_MS = 30_000

export const useVersions = (document: string) =>
  useQuery(
    {
      queryKey: versionsKey(document),
      queryFn: ({ signal }) => api.listVersions(document, signal),
      refetchInterval: REFETCH_MS,
    },
    queryClient,
  )

/** The text of a version, which never changes. */
export const useVersionText = (document: string, version: string | null) =>
  useQuery(
    {
      queryKey: ['version', document, version],
      queryFn: async ({ signal }) =>
        docOfState(document, await api.getVersionState(document, version!, signal)),
      enabled: version !== null,
      staleTime: Infinity,
    },
    queryClient,
  )

function docOfState(document: string, state: Uint8Array): Y.Doc {
  const doc = new Y.Doc()
  rememberVersion(doc, document)
  Y.applyUpdate(doc, state)
  return doc
}

function useVersionMutation<V, A>(document: string, mutate: (value: V) => Promise<A>) {
  return useMutation(
    {
      mutationFn: mutate,
      onSettled: () => queryClient.invalidateQueries({ queryKey: versionsKey(document) }),
    },
    queryClient,
  )
}

/** Saves what is on screen, so it first waits until the last letters are saved. */
export const useSaveVersion = (document: string, opened: OpenDocument) =>
  useVersionMutation(document, async (name: string | null) => {
    await opened.whenSaved()
    return api.createVersion(document, name)
  })

interface VersionName {
  readonly version: string
  readonly name: string | null
}

export const useNameVersion = (document: string) =>
  useVersionMutation(document, ({ version, name }: VersionName) => api.renameVersion(document, version, name))

export const useRemoveVersion = (document: string) =>
  useVersionMutation(document, (version: string) => api.removeVersion(document, version))
