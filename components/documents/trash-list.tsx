'use client'

import { useCallback, useState } from 'react'
import type { TrashedEntry } from '@/components/http-api.ts'
import { useSettings } from '@/components/settings/use-settings.ts'
import { Button } from '@/components/ui/button.tsx'
import { LazyComponent } from '@/components/ui/lazy-component.tsx'
import { RelativeTime } from '@/components/settings/relative-time.tsx'
import { Sentence } from '@/components/ui/sentence.tsx'
import { toast } from '@/components/ui/toast.ts'
import { focusAdjacentRow } from '@/components/ui/focus-adjacent-row.ts'
import { ListError, EmptyList } from './list-messages.tsx'
import { useRestore, useTrash } from './document-queries.ts'
import { ShowMore } from './show-more.tsx'
import { shownTitle } from '@/lib/strings/shown-title.ts'
import { LoadingRows } from './loading-rows.tsx'
import { useLatestFailure } from './use-latest-failure.ts'
import { documentsStrings } from '@/lib/strings/documents.ts'

const loadDeleteDialog = () => import('./delete-dialog.tsx')

/** Lists the documents that this person deleted and can still restore. */
export function TrashList() {
  const { data, isPending, refetch, isRefetching, ...pages } = useTrash()
  const failure = useLatestFailure(pages)
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = pages
  const fetchMore = useCallback(() => void fetchNextPage({ cancelRefetch: false }), [fetchNextPage])
  const [entryToDelete, setEntryToDelete] = useState<TrashedEntry | null>(null)
  const closeDeleteDialog = () => setEntryToDelete(null)
  if (isPending && !failure) return <LoadingRows />
  if (!data)
    return (
      <ListError
        message={documentsStrings.trash.notFetched(failure?.message ?? '')}
        busy={isRefetching}
        onRetry={() => void refetch()}
      />
    )
  return (
    <>
      {data.length > 0 ? (
        <ul aria-label={documentsStrings.trash.label} className="mt-4">
          {data.map((entry) => (
            <TrashRow key={entry.id} entry={entry} onDelete={() => setEntryToDelete(entry)} />
          ))}
        </ul>
      ) : (
        <EmptyList>{documentsStrings.trash.empty}</EmptyList>
      )}
      {hasNextPage && (
        <ShowMore busy={isFetchingNextPage} hasFailed={isFetchNextPageError} onMore={fetchMore} />
      )}
      {entryToDelete && (
        <LazyComponent
          load={loadDeleteDialog}
          props={{ entry: entryToDelete, onClose: closeDeleteDialog }}
          onLoadFailed={closeDeleteDialog}
        />
      )}
    </>
  )
}

interface TrashRowProps {
  readonly entry: TrashedEntry
  readonly onDelete: () => void
}

function TrashRow({ entry, onDelete }: TrashRowProps) {
  const restoreMutation = useRestore()
  const title = shownTitle(entry.title)
  const deleted = <RelativeTime at={entry.deletedAt} />
  const restore = (row: Element | null) =>
    restoreMutation.mutate(entry.id, {
      onSuccess: () => {
        focusAdjacentRow(row)
        toast(documentsStrings.restore.done(title))
      },
      onError: (error) => toast.error(documentsStrings.restore.failed(error.message)),
    })
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line py-3">
      <div className="min-w-56 flex-1">
        <p className="truncate font-serif text-lg/snug font-semibold">
          <bdi>{title}</bdi>
        </p>
        <p className="mt-0.5 text-sm text-muted">
          <Sentence
            parts={
              entry.purgedAt
                ? documentsStrings.trash.deletedUntil(deleted, <DayTime at={entry.purgedAt} />)
                : documentsStrings.trash.deleted(deleted)
            }
          />
        </p>
      </div>
      <div className="flex gap-2">
        <Button
          shape="small"
          aria-label={documentsStrings.trash.restoreLabel(title)}
          disabled={restoreMutation.isPending}
          onClick={({ currentTarget }) => restore(currentTarget.closest('li'))}
        >
          {documentsStrings.trash.restore}
        </Button>
        <Button
          shape="small"
          look="quiet"
          aria-label={documentsStrings.trash.deleteLabel(title)}
          onClick={onDelete}
        >
          {documentsStrings.trash.delete}
        </Button>
      </div>
    </li>
  )
}

function DayTime({ at }: { at: string }) {
  const { language } = useSettings()
  const date = new Date(at)
  return (
    <time dateTime={at} title={date.toLocaleString(language || undefined)}>
      {date.toLocaleDateString(language || undefined, { day: 'numeric', month: 'long' })}
    </time>
  )
}
