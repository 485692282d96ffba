'use client'

import { useInfiniteQuery } from '@tanstack/react-query'
import { api, type BacklinkEntry, type DocumentListPage } from '@/components/http-api.ts'
import { shownTitle } from '@/lib/strings/shown-title.ts'
import { queryClient } from '@/components/query-client.ts'
import { RelativeTime } from '@/components/settings/relative-time.tsx'
import { Button } from '@/components/ui/button.tsx'
import { Sentence } from '@/components/ui/sentence.tsx'
import { backlinksStrings } from '@/lib/strings/backlinks.ts'
import { commonStrings } from '@/lib/strings/common.ts'
import type { PanelProps } from '../panel-props.ts'

/** In ms. What others write is in the index a second or so after; the panel asks while it is on screen. */
const REFRESH_MS = 15_000
const RETRY_MS = 5_000

/** Lists the documents whose text leads here. */
export default function BacklinksPanel({ document, docked }: PanelProps) {
  const { data, error, isPending, refetch, isRefetching, hasNextPage, fetchNextPage } = useInfiniteQuery<
    DocumentListPage<BacklinkEntry>,
    Error,
    readonly BacklinkEntry[],
    readonly string[],
    string | null
  >(
    {
      queryKey: ['backlinks', document],
      queryFn: ({ pageParam: cursor, signal }) => api.listBacklinks(document, cursor, signal),
      initialPageParam: null,
      getNextPageParam: ({ next }) => next,
      select: ({ pages }) => pages.flatMap(({ documents }) => documents),
      refetchInterval: ({ state }) => (state.status === 'error' ? RETRY_MS : REFRESH_MS),
    },
    queryClient,
  )
  return (
    <div className="mx-auto w-full max-w-3xl">
      {error && (
        <div role="alert" className="flex flex-wrap items-center gap-3 px-4 py-3 text-sm text-muted">
          <p className="min-w-40 flex-1">{backlinksStrings.notFetched(error.message)}</p>
          <Button shape="small" disabled={isRefetching} onClick={() => void refetch()}>
            {commonStrings.tryAgain}
          </Button>
        </div>
      )}
      {isPending && !error && (
        <output className="block px-4 py-3 text-sm text-muted">{backlinksStrings.loading}</output>
      )}
      {data?.length === 0 && (
        <p className="px-4 py-3 text-sm text-pretty text-muted">{backlinksStrings.none}</p>
      )}
      {data && data.length > 0 && (
        <ul aria-label={backlinksStrings.label} className="divide-y divide-line">
          {data.map((entry) => (
            <Backlink key={entry.id} entry={entry} isOwnWindow={!docked} />
          ))}
        </ul>
      )}
      {hasNextPage && (
        <Button shape="small" className="m-4" onClick={() => void fetchNextPage()}>
          {backlinksStrings.more}
        </Button>
      )}
    </div>
  )
}

interface BacklinkProps {
  readonly entry: BacklinkEntry
  /** The panel stays in its window: what links here opens in another one. */
  readonly isOwnWindow: boolean
}

const Backlink = ({ entry: { id, title, preview, owner, updatedAt }, isOwnWindow }: BacklinkProps) => (
  <li className="relative px-4 py-3 hover:bg-sunk focus-within:bg-sunk">
    <a
      href={`/d/${id}`}
      {...(isOwnWindow && { target: '_blank', rel: 'noopener' })}
      className="font-medium wrap-anywhere outline-offset-2 after:absolute after:inset-0 after:content-['']"
    >
      <bdi>{shownTitle(title)}</bdi>
    </a>
    <p dir="auto" className="line-clamp-2 text-sm text-muted empty:hidden">
      {preview}
    </p>
    <p className="text-xs text-muted">
      <Sentence parts={backlinksStrings.edited(<bdi>{owner.name}</bdi>, <RelativeTime at={updatedAt} />)} />
    </p>
  </li>
)
