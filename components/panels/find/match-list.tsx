'use client'

import { useEffect, useRef } from 'react'
import type { SearchMatch } from '@/lib/text/search-match.ts'
import type { SearchState } from '@/lib/text/finder.ts'
import { findStrings } from '@/lib/strings/find.ts'

/** How many matches the list holds at once: those around the current one. */
const PAGE_SIZE = 100
/** How many letters around a match are shown. Few before it, so that the match is visible in a narrow panel; the panel cuts off the end. */
const [CONTEXT_BEFORE, CONTEXT_AFTER] = [24, 120]

interface MatchListProps {
  readonly searchState: SearchState
  readonly texts: readonly string[]
  readonly onChoose: (index: number) => void
}

/** The matches with their surrounding text. */
export function MatchList({ searchState: { matches, current, query }, texts, onChoose }: MatchListProps) {
  const first = Math.floor((current ?? 0) / PAGE_SIZE) * PAGE_SIZE
  if (query.text === '') return <p className="p-4 text-sm text-muted">{findStrings.matches.hint}</p>
  const shown = matches.slice(first, first + PAGE_SIZE)
  return (
    <>
      <ol
        aria-label={findStrings.matches.label}
        start={first + 1}
        className="mx-auto flex w-full max-w-3xl flex-col p-1.5"
      >
        {shown.map((match, index) => (
          <li key={first + index}>
            <MatchRow
              match={match}
              text={texts[match.line] ?? ''}
              current={first + index === current}
              onChoose={() => onChoose(first + index)}
            />
          </li>
        ))}
      </ol>
      {matches.length > PAGE_SIZE && (
        <p className="px-4 pb-4 text-xs text-muted">
          {findStrings.matches.listed(first + 1, first + shown.length)}
        </p>
      )}
    </>
  )
}

interface MatchRowProps {
  readonly match: SearchMatch
  readonly text: string
  readonly current: boolean
  readonly onChoose: () => void
}

function MatchRow({ match, text, current, onChoose }: MatchRowProps) {
  const { offset, text: matchedText } = match.found ?? match
  const row = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (current) row.current?.scrollIntoView({ block: 'nearest' })
  }, [current])
  const start = Math.max(0, offset - CONTEXT_BEFORE)
  const end = offset + matchedText.length
  return (
    <button
      ref={row}
      type="button"
      aria-current={current || undefined}
      onClick={onChoose}
      className="min-h-8 w-full scroll-mt-48 truncate rounded-md px-2 text-start text-sm text-muted hover:bg-sunk aria-current:bg-sunk"
    >
      {start > 0 && '…'}
      {text.slice(start, offset)}
      <mark className="rounded-sm bg-wait/25 font-medium text-ink">{matchedText}</mark>
      {text.slice(end, end + CONTEXT_AFTER)}
    </button>
  )
}
