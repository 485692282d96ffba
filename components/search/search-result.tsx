'use client'

import { useOwnProfile } from '@/components/profile/own-profile.ts'
import { shownTitle } from '@/lib/strings/shown-title.ts'
import { RelativeTime } from '@/components/settings/relative-time.tsx'
import type { TextRange } from '@/lib/search/search-marks.ts'
import { searchDialogStrings } from '@/lib/strings/search-dialog.ts'
import type { SearchResult } from './search-result-type.ts'

/** A document that was found: its title, the place in its text, whose it is, and when it was edited. */
export function SearchResultItem({ result }: { result: SearchResult }) {
  const { title, titleMarks, snippet, owner, updatedAt } = result
  const { profile } = useOwnProfile()
  const isOwn = owner !== null && owner.id === profile?.id
  return (
    <>
      <div className="flex items-baseline gap-3">
        <span dir="auto" className="min-w-0 flex-1 truncate font-serif font-semibold">
          {title === '' ? shownTitle(title) : <MarkedText text={title} marks={titleMarks} />}
        </span>
        <span className="shrink-0 text-xs text-muted">
          <RelativeTime at={updatedAt} />
        </span>
      </div>
      {snippet.text !== '' && (
        <p dir="auto" className="mt-0.5 line-clamp-2 text-sm text-muted">
          <MarkedText {...snippet} />
        </p>
      )}
      {owner && !isOwn && (
        <p className="mt-0.5 text-xs text-muted">{searchDialogStrings.ownedBy(owner.name)}</p>
      )}
    </>
  )
}

function MarkedText({ text, marks }: { text: string; marks: readonly TextRange[] }) {
  const ends = [0, ...marks.map(({ to }) => to)]
  return (
    <>
      {marks.map(({ from, to }, at) => (
        <span key={from}>
          {text.slice(ends[at], from)}
          <mark className="rounded-xs bg-accent-soft text-ink">{text.slice(from, to)}</mark>
        </span>
      ))}
      {text.slice(ends.at(-1))}
    </>
  )
}
