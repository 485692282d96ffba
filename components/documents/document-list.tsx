'use client'

import { useCallback, useState } from 'react'
import type { DocumentEntry } from '@/components/api'
import { Button } from '@/components/ui/button'
import { DocumentRow } from './document-row'
import { DeviceList, OnDevice } from './device-list'
import { useDeviceDocuments, useDocuments, useMe } from './queries'
import { RemoveDialog } from './remove-dialog'
import { RenameDialog } from './rename-dialog'
import { ShowMore } from './show-more'
import { useSettled } from './use-settled'
import { WaitingRows } from './waiting-rows'

type Asked = { readonly what: 'remove' | 'rename'; readonly entry: DocumentEntry }

const matches = (entry: DocumentEntry, search: string) =>
  entry.title.toLocaleLowerCase().includes(search.toLocaleLowerCase())

/** ms without a key. */
const TYPED_MS = 250

/** A list that was fetched whole is searched here, at once; the server searches a longer one, once the words are typed. */
function useSearched(search: string) {
  const { hasNextPage: isLong } = useDocuments()
  const typed = useSettled(search, TYPED_MS)
  const list = useDocuments(isLong ? typed : '')
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
        {search && (hasNextPage ? `${found.length} documents so far` : `${found.length} documents found`)}
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
  if (!data?.length) return <ListError message={message} {...again} />
  const found = data.filter((entry) => matches(entry, search))
  return (
    <>
      <OnDevice message={message} {...again} />
      {found.length > 0 ? <DeviceList entries={found} /> : <Nothing search={search} />}
    </>
  )
}

function DocumentList({ entries }: { entries: readonly DocumentEntry[] }) {
  const [asked, setAsked] = useState<Asked | null>(null)
  const close = () => setAsked(null)
  return (
    <>
      <ul aria-label="Documents" className="mt-4">
        {entries.map((entry) => (
          <DocumentRow
            key={entry.id}
            entry={entry}
            onRename={() => setAsked({ what: 'rename', entry })}
            onRemove={() => setAsked({ what: 'remove', entry })}
          />
        ))}
      </ul>
      <RemoveDialog entry={asked?.what === 'remove' ? asked.entry : null} onClose={close} />
      <RenameDialog entry={asked?.what === 'rename' ? asked.entry : null} onClose={close} />
    </>
  )
}

function Nothing({ search }: { search: string }) {
  return (
    <div className="mt-4 border-t border-line pt-10 text-center text-muted">
      {search ? (
        <p>No title contains “{search}”.</p>
      ) : (
        <p>Nothing here yet. Make a new document, or open a link that somebody gave you.</p>
      )}
    </div>
  )
}

function ListError({ message, busy, retry }: Again & { message: string }) {
  return (
    <div
      role="alert"
      className="mt-4 flex flex-col items-center gap-4 border-t border-line pt-10 text-center"
    >
      <p className="text-muted">Your documents could not be fetched. {message}</p>
      <Button onClick={retry} disabled={busy}>
        Try again
      </Button>
    </div>
  )
}
