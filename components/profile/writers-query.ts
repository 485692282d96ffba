import { api } from '@/components/http-api.ts'

/** In ms. People who are away change their names without this window noticing. */
const REFETCH_MS = 30_000

/** Who wrote in a document, as they are called now. */
export const writersQuery = (document: string) => ({
  queryKey: ['people', document] as readonly unknown[],
  queryFn: ({ signal }: { readonly signal?: AbortSignal } = {}) => api.listWriters(document, signal),
  refetchInterval: REFETCH_MS,
})
