'use client'

import { useCallback, useRef, useState } from 'react'
import type { DocumentEntry } from '@/components/api'
import { useSettings } from '@/components/settings/use-settings'
import { DocumentCard, DocumentRow, RowHeadings } from './document-row'
import { DeviceList, OnDevice } from './device-list'
import { focusBeside } from './focus-beside'
import { ListError, NothingHere } from './instead-of-list'
import { useDeviceDocuments, useDocuments, useMe } from './queries'
import { RenameDialog } from './rename-dialog'
import { ShowMore } from './show-more'
import { useCopying } from './use-copying'
import { useDeletion } from './use-deletion'
import { useSettled } from './use-settled'
import { WaitingRows } from './waiting-rows'
import { strings } from '@/lib/strings/documents.ts'

const matches = (entry: { readonly title: string }, search: string) =>
  entry.title.toLocaleLowerCase().includes(search.toLocaleLowerCase())

/** ms without a key. */
const TYPED_MS = 250

/** A list that was fetched whole is searched here, at once; the server searches a longer one, once the words are typed. */
function useSearched(search: string) {
  const { listFilter: filter, listSort: sort } = useSettings()
  const { hasNextPage: isLong } = useDocuments({ filter, sort })
  const typed = useSettled(search, TYPED_MS)
  const list = useDocuments({ filter, sort }, isLong ? typed : '')
  return { ...list, isSearching: isLong && (typed !== search || list.isPlaceholderData) }
}

/** The list, or what stands in its place. */
export function DocumentsFound({ search }: { search: string }) {
  const { data, error, isPending, refetch, isRefetching, ...pages } = useSearched(search)
  const { isSearching, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = pages
  const more = useCallback(() => void fetchNextPage({ cancelRefetch: false }), [fetchNextPage])
  useMe() // remembered: without a network the list is that of who was here last
  if (isPending) return <WaitingRows />
  const again = { busy: isRefetching, retry: () => void refetch() }
  if (!data) return <NotFetched message={error?.message ?? ''} search={search} {...again} />
  const found = data.filter((entry) => matches(entry, search))
  return (
    <>
      <output className="sr-only">
        {search && strings.search[hasNextPage ? 'foundSoFar' : 'found'](found.length)}
      </output>
      {found.length > 0 ? (
        <DocumentList entries={found} />
      ) : isSearching ? (
        <WaitingRows />
      ) : (
        <Nothing search={search} />
      )}
      {hasNextPage && !isSearching && (
        <ShowMore busy={isFetchingNextPage} failed={isFetchNextPageError} more={more} />
      )}
    </>
  )
}

interface Again {
  readonly busy: boolean
  readonly retry: () => void
}

/** What this browser holds, where it holds anything. */
function NotFetched({ message, search, ...again }: Again & { message: string; search: string }) {
  const { data, isPending } = useDeviceDocuments()
  if (isPending) return <WaitingRows />
  if (!data?.length) return <ListError message={strings.notFetched(message)} {...again} />
  const found = data.filter((entry) => matches(entry, search))
  return (
    <>
      <OnDevice message={message} {...again} />
      {found.length > 0 ? <DeviceList entries={found} /> : <Nothing search={search} />}
    </>
  )
}

function DocumentList({ entries }: { entries: readonly DocumentEntry[] }) {
  const { listSort: sort, listLayout } = useSettings()
  const [renamed, setRenamed] = useState<DocumentEntry | null>(null)
  const list = useRef<HTMLUListElement>(null)
  const duplicate = useCopying()
  const remove = useDeletion()
  const isCards = listLayout === 'cards'
  const Item = isCards ? DocumentCard : DocumentRow
  const onDelete = (entry: DocumentEntry, index: number) =>
    void remove(entry, () => focusBeside(list.current?.children[index] ?? null))
  return (
    <div className="mt-2">
      {!isCards && <RowHeadings sort={sort} />}
      <ul
        ref={list}
        aria-label={strings.title}
        className={isCards ? 'mt-2 grid grid-cols-[repeat(auto-fill,minmax(min(15rem,100%),1fr))] gap-4' : ''}
      >
        {entries.map((entry, index) => (
          <Item
            key={entry.id}
            entry={entry}
            sort={sort}
            onRename={() => setRenamed(entry)}
            onDuplicate={() => void duplicate(entry)}
            onDelete={() => onDelete(entry, index)}
          />
        ))}
      </ul>
      <RenameDialog entry={renamed} onClose={() => setRenamed(null)} />
    </div>
  )
}

function Nothing({ search }: { search: string }) {
  const { listFilter } = useSettings()
  return <NothingHere>{search ? strings.nothing.found(search) : strings.nothing[listFilter]}</NothingHere>
}
