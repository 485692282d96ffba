'use client'

import { useCallback, useState } from 'react'
import type { TrashedEntry } from '@/components/api'
import { useSettings } from '@/components/settings/use-settings'
import { Button } from '@/components/ui/button'
import { RelativeTime } from '@/components/ui/relative-time'
import { Sentence } from '@/components/ui/sentence'
import { toast } from '@/components/ui/toast'
import { DeleteDialog } from './delete-dialog'
import { focusBeside } from './focus-beside'
import { ListError, NothingHere } from './instead-of-list'
import { useRestore, useTrash } from './queries'
import { ShowMore } from './show-more'
import { titleOf } from './title'
import { WaitingRows } from './waiting-rows'
import { strings } from '@/lib/strings/documents.ts'

/** Lists the documents that this person deleted and can still restore. */
export function Trash() {
  const { data, error, isPending, refetch, isRefetching, ...pages } = useTrash()
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = pages
  const more = useCallback(() => void fetchNextPage({ cancelRefetch: false }), [fetchNextPage])
  const [asked, setAsked] = useState<TrashedEntry | null>(null)
  if (isPending) return <WaitingRows />
  if (!data)
    return (
      <ListError
        message={strings.trash.notFetched(error?.message ?? '')}
        busy={isRefetching}
        retry={() => void refetch()}
      />
    )
  return (
    <>
      {data.length > 0 ? (
        <ul aria-label={strings.trash.label} className="mt-4">
          {data.map((entry) => (
            <TrashRow key={entry.id} entry={entry} onDelete={() => setAsked(entry)} />
          ))}
        </ul>
      ) : (
        <NothingHere>{strings.trash.empty}</NothingHere>
      )}
      {hasNextPage && <ShowMore busy={isFetchingNextPage} failed={isFetchNextPageError} more={more} />}
      <DeleteDialog entry={asked} onClose={() => setAsked(null)} />
    </>
  )
}

interface TrashRowProps {
  readonly entry: TrashedEntry
  readonly onDelete: () => void
}

function TrashRow({ entry, onDelete }: TrashRowProps) {
  const restoring = useRestore()
  const title = titleOf(entry.title)
  const deleted = <RelativeTime at={entry.deletedAt} />
  const restore = (row: Element | null) =>
    restoring.mutate(entry.id, {
      onSuccess: () => {
        focusBeside(row)
        toast(strings.restore.done(title))
      },
      onError: (error) => toast.error(strings.restore.failed(error.message)),
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
                ? strings.trash.deletedUntil(deleted, <Day at={entry.purgedAt} />)
                : strings.trash.deleted(deleted)
            }
          />
        </p>
      </div>
      <div className="flex gap-2">
        <Button
          shape="small"
          aria-label={strings.trash.restoreLabel(title)}
          disabled={restoring.isPending}
          onClick={({ currentTarget }) => restore(currentTarget.closest('li'))}
        >
          {strings.trash.restore}
        </Button>
        <Button shape="small" look="quiet" aria-label={strings.trash.deleteLabel(title)} onClick={onDelete}>
          {strings.trash.delete}
        </Button>
      </div>
    </li>
  )
}

function Day({ at }: { at: string }) {
  const { language } = useSettings()
  const date = new Date(at)
  return (
    <time dateTime={at} title={date.toLocaleString(language || undefined)}>
      {date.toLocaleDateString(language || undefined, { day: 'numeric', month: 'long' })}
    </time>
  )
}
