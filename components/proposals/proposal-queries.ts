/** What the server says of proposals, read anew when it says that something changed, and when the window gets the focus. */
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import * as Y from 'yjs'
import {
  api,
  type AcceptanceRequest,
  type DecisionsRequest,
  type ProposalState,
} from '@/components/http-api.ts'
import { queryClient } from '@/components/query-client.ts'
import { rememberVersion } from '@/components/open-documents.ts'

/** In ms. For windows that were told nothing: a server of an earlier version. */
const REFETCH_MS = 60_000

const documentKey = (document: string) => ['document', document] as const
const proposalsKey = (original: string) => ['proposals', original] as const

export const refetchProposals = async (document: string): Promise<void> => {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: documentKey(document) }),
    queryClient.invalidateQueries({ queryKey: proposalsKey(document) }),
  ])
}

/** The document as the server lists it, with what it says of proposals. */
export const useDocumentEntry = (document: string) =>
  useQuery(
    {
      queryKey: documentKey(document),
      queryFn: ({ signal }) => api.getDocument(document, signal),
      refetchInterval: REFETCH_MS,
    },
    queryClient,
  )

export const useProposals = (original: string, state: ProposalState | null) =>
  useInfiniteQuery(
    {
      queryKey: [...proposalsKey(original), 'list', state],
      queryFn: ({ pageParam, signal }) => api.listProposals(original, state, pageParam, signal),
      initialPageParam: null as string | null,
      getNextPageParam: ({ next }) => next,
      refetchInterval: REFETCH_MS,
    },
    queryClient,
  )

export const useProposal = (original: string, proposal: string) =>
  useQuery(
    {
      queryKey: [...proposalsKey(original), proposal],
      queryFn: ({ signal }) => api.getProposal(original, proposal, signal),
      refetchInterval: REFETCH_MS,
    },
    queryClient,
  )

/** The text with which a proposal began, which never changes. */
export const useBaseText = (proposal: string, base: string | null) =>
  useQuery(
    {
      queryKey: ['version', proposal, base],
      queryFn: async ({ signal }) => {
        const doc = new Y.Doc()
        rememberVersion(doc, proposal)
        Y.applyUpdate(doc, await api.getVersionState(proposal, base!, signal))
        return doc
      },
      enabled: base !== null,
      staleTime: Infinity,
    },
    queryClient,
  )

function useProposalMutation<Value, Result>(original: string, mutationFn: (value: Value) => Promise<Result>) {
  return useMutation({ mutationFn, onSettled: () => refetchProposals(original) }, queryClient)
}

export const useAllowProposals = (document: string) =>
  useProposalMutation(document, (who: 'editors' | 'viewers') => api.allowProposals(document, who))

/** Returns the keys of those that were noted: somebody else may have been first. It does not wait until they are read anew. */
export const useDecisions = (original: string, proposal: string) =>
  useMutation(
    {
      mutationFn: async (request: DecisionsRequest): Promise<ReadonlySet<string>> =>
        new Set((await api.decideChanges(original, proposal, request)).decided),
      onSettled: () => void refetchProposals(original),
    },
    queryClient,
  )

export type ProposalAction = Parameters<typeof api.changeProposal>[2]

export const useProposalAction = (original: string, proposal: string) =>
  useProposalMutation(original, async (action: ProposalAction | AcceptanceRequest) => {
    const done = await (typeof action === 'string'
      ? api.changeProposal(original, proposal, action)
      : api.acceptProposal(original, proposal, action))
    await queryClient.invalidateQueries({ queryKey: documentKey(proposal) })
    return done
  })
