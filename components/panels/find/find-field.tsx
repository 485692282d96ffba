'use client'

import { CaseSensitive, ChevronDown, ChevronUp, Regex, WholeWord, type LucideIcon } from 'lucide-react'
import { useEffect, useId, useRef, type KeyboardEvent } from 'react'
import type { Match, Query } from '@/lib/text/find.ts'
import type { Finder, Finding } from '@/lib/text/finder.ts'
import { pageCommands } from '@/components/commands/registry'
import { Hint } from '@/components/ui/hint'
import { useWish } from '../use-wish'
import { fieldClass } from './field'
import { strings } from '@/lib/strings/find.ts'

interface FindFieldProps {
  readonly finder: Finder
  readonly finding: Finding
  /** In a window that was opened to find. */
  readonly takesFocus: boolean
  readonly onStep: (by: 1 | -1) => void
  readonly onFound: (match: Match | null) => void
}

/** What is looked for, and how. */
export function FindField({ finder, finding, takesFocus, onStep, onFound }: FindFieldProps) {
  const field = useRef<HTMLInputElement>(null)
  const count = useId()
  const ask = (query: Partial<Query>) => void finder.ask(query).then(onFound)
  useWish('find', ({ text }) => {
    if (text) void finder.ask({ text })
    field.current?.focus()
    field.current?.select()
  })
  useEffect(() => {
    if (takesFocus && document.activeElement === document.body) field.current?.focus()
  }, [takesFocus])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter') onStep(event.shiftKey ? -1 : 1)
    else if (event.key === 'Escape') backToText(finding)
    else return
    event.preventDefault()
  }
  return (
    <div className="flex flex-col gap-1.5">
      <input
        ref={field}
        type="search"
        aria-label={strings.field}
        aria-describedby={count}
        aria-invalid={finding.problem !== null}
        placeholder={strings.field}
        autoComplete="off"
        spellCheck={false}
        value={finding.query.text}
        onChange={(event) => ask({ text: event.target.value })}
        onKeyDown={onKeyDown}
        className={fieldClass}
      />
      <div className="flex items-center gap-0.5">
        <Options query={finding.query} onChange={ask} />
        <output
          id={count}
          aria-label={strings.found.label}
          className="flex-1 px-1.5 text-end text-xs text-muted tabular-nums"
        >
          {finding.problem === null && countOf(finding)}
        </output>
        <Press name={strings.previous} keys="Shift+F3" Icon={ChevronUp} onClick={() => onStep(-1)} />
        <Press name={strings.next} keys="F3" Icon={ChevronDown} onClick={() => onStep(1)} />
      </div>
      <p role="alert" className="text-xs text-danger empty:hidden">
        {finding.problem}
      </p>
    </div>
  )
}

/** Where this window has the text: to what was found in it. */
const backToText = ({ current }: Finding): void => pageCommands.run(current === null ? 'text' : 'found')

function countOf({ query, searching, matches, complete, current }: Finding): string {
  if (query.text === '') return ''
  if (searching && matches.length === 0) return strings.found.searching
  if (matches.length === 0) return strings.found.nothing
  const all = strings.found[complete ? 'all' : 'atLeast'](matches.length)
  return current === null ? all : strings.found.current(current + 1, all)
}

const options = [
  { option: 'matchCase', name: strings.options.matchCase, Icon: CaseSensitive },
  { option: 'wholeWords', name: strings.options.wholeWords, Icon: WholeWord },
  { option: 'regularExpression', name: strings.options.regularExpression, Icon: Regex },
] as const

const Options = ({ query, onChange }: { query: Query; onChange: (query: Partial<Query>) => void }) => (
  <fieldset aria-label={strings.options.label} className="flex gap-0.5">
    {options.map(({ option, name, Icon }) => (
      <Press
        key={option}
        name={name}
        Icon={Icon}
        on={query[option]}
        onClick={() => onChange({ [option]: !query[option] })}
      />
    ))}
  </fieldset>
)

interface PressProps {
  readonly name: string
  readonly keys?: string
  readonly Icon: LucideIcon
  readonly on?: boolean
  readonly onClick: () => void
}

const Press = ({ name, keys, Icon, on, onClick }: PressProps) => (
  <Hint text={name} {...(keys && { keys })}>
    <button
      type="button"
      aria-label={name}
      aria-pressed={on}
      onClick={onClick}
      className="grid size-8 shrink-0 place-items-center rounded-md text-muted hover:bg-sunk hover:text-ink aria-pressed:bg-accent-soft aria-pressed:text-accent"
    >
      <Icon size={16} aria-hidden />
    </button>
  </Hint>
)
