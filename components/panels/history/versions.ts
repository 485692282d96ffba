import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import * as Y from 'yjs'
import type { OpenDocument } from '@/lib/client.ts'
import { api } from '@/components/api'

const listKey = (document: string) => ['versions', document] as const

/** ms. Versions make themselves on the server, which tells nobody. */
const LOOK_AGAIN_MS = 30_000

export const useVersions = (document: string) =>
  useQuery({
    queryKey: listKey(document),
    queryFn: () => api.versions(document),
    refetchInterval: LOOK_AGAIN_MS,
  })

/** The text of a version, which never changes. */
export const useVersionText = (document: string, version: string | null) =>
  useQuery({
    queryKey: ['version', document, version],
    queryFn: async () => documentOf(await api.versionState(document, version!)),
    enabled: version !== null,
    staleTime: Infinity,
  })

function documentOf(state: Uint8Array): Y.Doc {
  const doc = new Y.Doc()
  Y.applyUpdate(doc, state)
  return doc
}

function useListChange<V, A>(document: string, run: (value: V) => Promise<A>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: run,
    onSettled: () => client.invalidateQueries({ queryKey: listKey(document) }),
  })
}

/** Of what is on screen: so its last letters are awaited first. */
export const useKeepVersion = (document: string, opened: OpenDocument) =>
  useListChange(document, async (name: string | null) => {
    await opened.whenSaved()
    return api.keepVersion(document, name)
  })

interface Naming {
  readonly version: string
  readonly name: string | null
}

export const useNameVersion = (document: string) =>
  useListChange(document, ({ version, name }: Naming) => api.nameVersion(document, version, name))

export const useRemoveVersion = (document: string) =>
  useListChange(document, (version: string) => api.removeVersion(document, version))
