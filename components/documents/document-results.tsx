'use client'

import { useCallback, useRef, useState } from 'react'
import type { DocumentEntry } from '@/components/http-api.ts'
import { useOwnProfile } from '@/components/profile/own-profile.ts'
import { useSettings } from '@/components/settings/use-settings.ts'
import { LazyComponent } from '@/components/ui/lazy-component.tsx'
import { DocumentCard, DocumentRow, RowHeadings } from './document-row.tsx'
import { DeviceList, DeviceListNotice } from './device-list.tsx'
import { focusAdjacentRow } from '@/components/ui/focus-adjacent-row.ts'
import { ListError, EmptyList } from './list-messages.tsx'
import { useDeviceDocuments, useDocuments } from './document-queries.ts'
import { ShowMore } from './show-more.tsx'
import { useDuplicateAction } from './use-duplicate-action.ts'
import { useTrashAction } from './use-trash-action.ts'
import { useDebounced } from './use-debounced.ts'
import { useLatestFailure } from './use-latest-failure.ts'
import { LoadingRows } from './loading-rows.tsx'
import { foldText } from '@/lib/protocol/fold-text.ts'
import { documentsStrings } from '@/lib/strings/documents.ts'

const matchesTitle = (entry: { readonly title: string }, search: string) =>
  foldText(entry.title).includes(foldText(search))

/** In ms without a key press. */
const SEARCH_DEBOUNCE_MS = 250

/** A list that was fetched whole is searched here at once. The server searches a longer one after the person stops typing. */
function useDocumentSearch(search: string) {
  const { listFilter: filter, listSort: sort } = useSettings()
  const { hasNextPage } = useDocuments({ filter, sort })
  const debouncedSearch = useDebounced(search, SEARCH_DEBOUNCE_MS)
  const list = useDocuments({ filter, sort }, hasNextPage ? debouncedSearch : '')
  return { ...list, isSearching: hasNextPage && (debouncedSearch !== search || list.isPlaceholderData) }
}

/** The list, or what replaces it. */
export function DocumentResults({ search }: { search: string }) {
  const { data, isPending, refetch, isRefetching, ...pages } = useDocumentSearch(search)
  const failure = useLatestFailure(pages)
  const { isSearching, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = pages
  const fetchMore = useCallback(() => void fetchNextPage({ cancelRefetch: false }), [fetchNextPage])
  useOwnProfile() // remembered, so that without a network the list is that of the last person
  if (isPending && !failure) return <LoadingRows />
  const retryProps = { busy: isRefetching, onRetry: () => void refetch() }
  if (!data) return <DeviceDocumentResults message={failure?.message ?? ''} search={search} {...retryProps} />
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
        <NoDocuments search={search} />
      )}
      {hasNextPage && !isSearching && (
        <ShowMore busy={isFetchingNextPage} hasFailed={isFetchNextPageError} onMore={fetchMore} />
      )}
    </>
  )
}

interface RetryProps {
  readonly busy: boolean
  readonly onRetry: () => void
}

/** The documents that this browser holds, if any. */
function DeviceDocumentResults({
  message,
  search,
  ...retryProps
}: RetryProps & { message: string; search: string }) {
  const { data, isPending } = useDeviceDocuments()
  if (isPending) return <LoadingRows />
  if (!data?.length) return <ListError message={documentsStrings.notFetched(message)} {...retryProps} />
  const found = data.filter((entry) => matchesTitle(entry, search))
  return (
    <>
      <DeviceListNotice message={message} {...retryProps} />
      {found.length > 0 ? <DeviceList entries={found} /> : <NoDocuments search={search} />}
    </>
  )
}

const loadRenameDialog = () => import('./rename-dialog.tsx')
const loadExportDialog = () => import('@/components/export/export-dialog.tsx')

function DocumentList({ entries }: { entries: readonly DocumentEntry[] }) {
  const { listSort: sort, listLayout } = useSettings()
  const [entryToRename, setEntryToRename] = useState<DocumentEntry | null>(null)
  const [entryToExport, setEntryToExport] = useState<DocumentEntry | null>(null)
  const closeExportDialog = () => setEntryToExport(null)
  const closeRenameDialog = () => setEntryToRename(null)
  const list = useRef<HTMLUListElement>(null)
  const duplicate = useDuplicateAction()
  const remove = useTrashAction()
  const isCards = listLayout === 'cards'
  const Item = isCards ? DocumentCard : DocumentRow
  const onDelete = (entry: DocumentEntry, index: number) =>
    void remove(entry, () => focusAdjacentRow(list.current?.children[index] ?? null))
  return (
    <div className="mt-2">
      {!isCards && <RowHeadings sort={sort} />}
      <ul
        ref={list}
        aria-label={documentsStrings.title}
        className={isCards ? 'mt-2 grid grid-cols-[repeat(auto-fill,minmax(min(15rem,100%),1fr))] gap-4' : ''}
      >
        {entries.map((entry, index) => (
          <Item
            key={entry.id}
            entry={entry}
            sort={sort}
            onRename={() => setEntryToRename(entry)}
            onExport={() => setEntryToExport(entry)}
            onDuplicate={() => void duplicate(entry)}
            onDelete={() => onDelete(entry, index)}
          />
        ))}
      </ul>
      {entryToRename && (
        <LazyComponent
          load={loadRenameDialog}
          props={{ entry: entryToRename, onClose: closeRenameDialog }}
          onLoadFailed={closeRenameDialog}
        />
      )}
      {entryToExport && (
        <LazyComponent
          load={loadExportDialog}
          props={{
            document: entryToExport.id,
            title: entryToExport.title,
            opened: null,
            onClose: closeExportDialog,
          }}
          onLoadFailed={closeExportDialog}
        />
      )}
    </div>
  )
}

function NoDocuments({ search }: { search: string }) {
  const { listFilter } = useSettings()
  return (
    <EmptyList>
      {search ? documentsStrings.nothing.found(search) : documentsStrings.nothing[listFilter]}
    </EmptyList>
  )
}
