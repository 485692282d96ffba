import { useQuery } from '@tanstack/react-query'
import { queryClient } from '@/components/query-client.ts'
import { fetchStorage } from './fetch-storage.ts'

export const storageKey = ['storage']

export const useStorageUsage = () =>
  useQuery({ queryKey: storageKey, queryFn: ({ signal }) => fetchStorage(signal), retry: false }, queryClient)
