'use client'

import { useCallback, useEffect, useMemo } from 'react'
import { useOwnProfile } from '@/components/profile/own-profile.ts'
import { useSettings } from '@/components/settings/use-settings.ts'
import { DocumentList } from './document-list.tsx'
import { DeviceList, DeviceListNotice } from './device-list.tsx'
import { ListError, EmptyList } from './list-messages.tsx'
import { isInPlace, readDeviceOrder, rememberOrder } from './device-order.ts'
import { useDeviceDocuments, useDocuments } from './document-queries.ts'
import { ShowMore } from './show-more.tsx'
import { useFolders } from './folder-queries.ts'
import type { ListPlace } from './place.ts'
import { useDebounced } from '@/components/ui/use-debounced.ts'
import { useLatestFailure } from './use-latest-failure.ts'
import { LoadingRows } from './loading-rows.tsx'
import type { ListedEntry } from '@/components/http-api.ts'
import type { ListSort } from '@/lib/desk/settings.ts'
import { rememberedPrincipal } from '@/lib/sync/local/remembered-principal.ts'
import { foldText } from '@/lib/protocol/fold-text.ts'
import { documentsStrings } from '@/lib/strings/documents.ts'
import { foldersStrings } from '@/lib/strings/folders.ts'

const matchesTitle = (entry: { readonly title: string }, search: string) =>
  search === '' || foldText(entry.title).includes(foldText(search))

/** In ms without a key press. */
const SEARCH_DEBOUNCE_MS = 250

/** A list that was fetched whole is searched here at once. The server searches a longer one after the person stops typing. */
function useDocumentSearch(search: string, place: ListPlace) {
  const { listSort } = useSettings()
  const choice = choiceOf(place, listSort)
  const { hasNextPage } = useDocuments(choice)
  const debouncedSearch = useDebounced(search, SEARCH_DEBOUNCE_MS)
  const list = useDocuments(choice, hasNextPage ? debouncedSearch : '')
  return { ...list, isSearching: hasNextPage && (debouncedSearch !== search || list.isPlaceholderData) }
}

function choiceOf(place: ListPlace, sort: ListSort): Parameters<typeof useDocuments>[0] {
  const filter = place.kind === 'filter' ? place.filter : 'all'
  const folder = place.kind === 'folder' ? place.id : ''
  return filter === 'recent' ? { filter: 'all', folder, sort: 'opened' } : { filter, folder, sort }
}

interface DocumentResultsProps {
  readonly search: string
  readonly place: ListPlace
}

/** The list, or what replaces it. */
export function DocumentResults({ search, place }: DocumentResultsProps) {
  const { data, isPending, refetch, isRefetching, ...pages } = useDocumentSearch(search, place)
  const failure = useLatestFailure(pages)
  const { isSearching, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = pages
  const fetchMore = useCallback(() => void fetchNextPage({ cancelRefetch: false }), [fetchNextPage])
  useRememberedOrder(data)
  if (isPending && !failure) return <LoadingRows />
  const retryProps = { busy: isRefetching, onRetry: () => void refetch() }
  if (!data)
    return (
      <DeviceDocumentResults message={failure?.message ?? ''} search={search} place={place} {...retryProps} />
    )
  const found = data.filter((entry) => matchesTitle(entry, search))
  return (
    <>
      <output className="sr-only">
        {search && documentsStrings.search[hasNextPage ? 'foundSoFar' : 'found'](found.length)}
      </output>
      {found.length > 0 ? (
        <DocumentList entries={found} />
      ) : isSearching ? (
        <LoadingRows />
      ) : (
        <NoDocuments search={search} place={place} />
      )}
      {hasNextPage && !isSearching && (
        <ShowMore busy={isFetchingNextPage} hasFailed={isFetchNextPageError} onMore={fetchMore} />
      )}
    </>
  )
}

/** Without a network the list is that of the last person, in their order. */
function useRememberedOrder(entries: readonly ListedEntry[] | undefined): void {
  const { profile, state } = useOwnProfile()
  const { folders, isFetched } = useFolders()
  const principal = state === 'known' ? profile?.id : undefined
  useEffect(() => {
    if (principal && entries && isFetched) rememberOrder(principal, [...folders.values()], entries)
  }, [principal, entries, folders, isFetched])
}

interface RetryProps {
  readonly busy: boolean
  readonly onRetry: () => void
}

/** The documents that this browser holds, if any. */
function DeviceDocumentResults({
  message,
  search,
  place,
  ...retryProps
}: RetryProps & DocumentResultsProps & { message: string }) {
  const { data, isPending } = useDeviceDocuments()
  const order = useMemo(() => readDeviceOrder(rememberedPrincipal()), [])
  if (isPending) return <LoadingRows />
  if (!data?.length) return <ListError message={documentsStrings.notFetched(message)} {...retryProps} />
  const found = data.filter((entry) => matchesTitle(entry, search) && isInPlace(entry, place, order))
  return (
    <>
      <DeviceListNotice message={message} {...retryProps} />
      {found.length > 0 ? (
        <DeviceList entries={found} />
      ) : (
        <EmptyList>
          {search ? documentsStrings.nothing.found(search) : documentsStrings.device.nothingHere}
        </EmptyList>
      )}
    </>
  )
}

function NoDocuments({ search, place }: { search: string; place: ListPlace }) {
  const { folders, isFetched } = useFolders()
  if (search) return <EmptyList>{documentsStrings.nothing.found(search)}</EmptyList>
  if (place.kind === 'filter') return <EmptyList>{documentsStrings.nothing[place.filter]}</EmptyList>
  const isGone = place.kind === 'folder' && isFetched && !folders.has(place.id)
  return <EmptyList>{isGone ? foldersStrings.gone : foldersStrings.empty}</EmptyList>
}
