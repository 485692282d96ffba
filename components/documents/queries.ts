'use client'

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, type DocumentEntry } from '@/components/api'
import { askWho, rememberedMe } from './me'
import { deviceDocuments, forgetOnDevice } from './device-documents'

const key = ['documents'] as const

/** ms; a server that could not be reached is asked again by itself. */
const AGAIN_MS = 5_000

export const useDocuments = () =>
  useQuery({
    queryKey: key,
    queryFn: api.documents,
    refetchInterval: ({ state }) => (state.status === 'error' ? AGAIN_MS : false),
  })

/** Remembered, so that a document opens without the server, too. */
export const useMe = () =>
  useQuery({ queryKey: ['me'], queryFn: askWho, placeholderData: rememberedMe, staleTime: Infinity })

/** Documents that this browser holds a copy of, whoever can be reached. */
export const useDeviceDocuments = () =>
  useQuery({ queryKey: ['device-documents'], queryFn: deviceDocuments, retry: false, gcTime: 0 })

export const useCreateDocument = () => useMutation({ mutationFn: api.create })

/** The row changes with the answer; then, or after a refusal, the server's list is fetched again. */
function useListChange<V>(
  run: (value: V) => Promise<unknown>,
  change: (list: DocumentEntry[], value: V) => DocumentEntry[],
) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: run,
    onSuccess: (_answer, value) =>
      client.setQueryData<DocumentEntry[]>(key, (list) => list && change(list, value)),
    onSettled: () => client.invalidateQueries({ queryKey: key }),
  })
}

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
