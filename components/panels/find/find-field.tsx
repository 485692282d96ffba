'use client'

import { CaseSensitive, ChevronDown, ChevronUp, Regex, WholeWord, type LucideIcon } from 'lucide-react'
import { useEffect, useId, useRef, type KeyboardEvent } from 'react'
import type { SearchQuery } from '@/lib/text/find.ts'
import type { SearchMatch } from '@/lib/text/search-match.ts'
import type { Finder, SearchState } from '@/lib/text/finder.ts'
import { pageCommands } from '@/components/commands/command-registry.ts'
import { Hint } from '@/components/ui/hint.tsx'
import { usePanelCommand } from '../use-panel-command.ts'
import { takeEarlyQuery } from '@/components/find/early-query.ts'
import { fieldClass } from './field-class.ts'
import { findStrings } from '@/lib/strings/find.ts'

interface FindFieldProps {
  readonly finder: Finder
  readonly searchState: SearchState
  /** True in a window that was opened to find something. */
  readonly takesFocus: boolean
  readonly onMove: (by: 1 | -1) => void
  readonly onMatch: (match: SearchMatch | null) => void
}

/** The query and its options. */
export function FindField({ finder, searchState, takesFocus, onMove, onMatch }: FindFieldProps) {
  const field = useRef<HTMLInputElement>(null)
  const countId = useId()
  const runQuery = (query: Partial<SearchQuery>) => void finder.runQuery(query).then(onMatch)
  // Before the command below, which may have waited for this panel, so that its query is the later search.
  useEffect(() => finder.open(), [finder])
  usePanelCommand('find', ({ text, caret }) => {
    if (caret) finder.startAt(caret)
    const typed = takeEarlyQuery()
    const query = typed || text
    if (query) runQuery({ text: query })
    field.current?.focus()
    if (!typed) field.current?.select()
  })
  useEffect(() => {
    if (takesFocus && document.activeElement === document.body) field.current?.focus()
  }, [takesFocus])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter') onMove(event.shiftKey ? -1 : 1)
    else if (event.key === 'Escape') focusText(searchState)
    else return
    event.preventDefault()
  }
  return (
    <div className="flex flex-col gap-1.5">
      <input
        ref={field}
        type="search"
        aria-label={findStrings.field}
        aria-describedby={countId}
        aria-invalid={searchState.problem !== null}
        placeholder={findStrings.field}
        autoComplete="off"
        spellCheck={false}
        value={searchState.query.text}
        onChange={(event) => runQuery({ text: event.target.value })}
        onKeyDown={onKeyDown}
        className={fieldClass}
      />
      <div className="flex items-center gap-0.5">
        <QueryOptions query={searchState.query} onChange={runQuery} />
        <output
          id={countId}
          aria-label={findStrings.found.label}
          className="flex-1 px-1.5 text-end text-xs text-muted tabular-nums"
        >
          {searchState.problem === null && countText(searchState)}
        </output>
        <FindButton name={findStrings.previous} keys="Shift+F3" Icon={ChevronUp} onClick={() => onMove(-1)} />
        <FindButton name={findStrings.next} keys="F3" Icon={ChevronDown} onClick={() => onMove(1)} />
      </div>
      <p role="alert" className="text-xs text-danger empty:hidden">
        {searchState.problem}
      </p>
    </div>
  )
}

/** If this window has the text, moves the focus to the current match in it. */
const focusText = ({ current }: SearchState): void => pageCommands.run(current === null ? 'text' : 'found')

function countText({ query, searching, matches, complete, current }: SearchState): string {
  if (query.text === '') return ''
  if (searching && matches.length === 0) return findStrings.found.searching
  if (matches.length === 0) return findStrings.found.nothing
  const total = findStrings.found[complete ? 'all' : 'atLeast'](matches.length)
  return current === null ? total : findStrings.found.current(current + 1, total)
}

const queryOptions = [
  { option: 'matchCase', name: findStrings.options.matchCase, Icon: CaseSensitive },
  { option: 'wholeWords', name: findStrings.options.wholeWords, Icon: WholeWord },
  { option: 'regularExpression', name: findStrings.options.regularExpression, Icon: Regex },
] as const

const QueryOptions = ({
  query,
  onChange,
}: {
  query: SearchQuery
  onChange: (query: Partial<SearchQuery>) => void
}) => (
  <fieldset aria-label={findStrings.options.label} className="flex gap-0.5">
    {queryOptions.map(({ option, name, Icon }) => (
      <FindButton
        key={option}
        name={name}
        Icon={Icon}
        isOn={query[option]}
        onClick={() => onChange({ [option]: !query[option] })}
      />
    ))}
  </fieldset>
)

interface FindButtonProps {
  readonly name: string
  readonly keys?: string
  readonly Icon: LucideIcon
  readonly isOn?: boolean
  readonly onClick: () => void
}

const FindButton = ({ name, keys, Icon, isOn, onClick }: FindButtonProps) => (
  <Hint text={name} {...(keys && { keys })}>
    <button
      type="button"
      aria-label={name}
      aria-pressed={isOn}
      onClick={onClick}
      className="grid size-8 shrink-0 place-items-center rounded-md text-muted hover:bg-sunk hover:text-ink aria-pressed:bg-accent-soft aria-pressed:text-accent"
    >
      <Icon size={16} aria-hidden />
    </button>
  </Hint>
)
