'use client'

import { ChevronDown, ChevronUp } from 'lucide-react'
import type { LocatedThread } from '@/lib/comments/located-threads.ts'
import { createHelpOnlyCommand } from '@/components/commands/command-registry.ts'
import { useCommands } from '@/components/commands/use-commands.ts'
import { buttonClass } from '@/components/ui/button.tsx'
import { Hint } from '@/components/ui/hint.tsx'
import type { ThreadFilter } from './thread-filter.ts'
import { commentsStrings } from '@/lib/strings/comments.ts'

interface ThreadBarProps {
  readonly allThreads: readonly LocatedThread[]
  /** The threads that are shown. */
  readonly threads: readonly LocatedThread[]
  readonly active: string | null
  readonly filter: ThreadFilter
  readonly onFilter: (filter: ThreadFilter) => void
  readonly onSelect: (located: LocatedThread) => void
}

/** Chooses which threads are shown, and steps from one to the next. */
export function ThreadBar({ allThreads, threads, active, filter, onFilter, onSelect }: ThreadBarProps) {
  const resolved = allThreads.filter(({ thread }) => thread.resolved).length
  const goToNeighbour = (direction: 1 | -1) => {
    const next = neighbourThread(threads, active, direction)
    if (!next) return
    onSelect(next)
    focusThread(next.thread.id)
  }
  useCommands([
    createHelpOnlyCommand({
      id: 'comment.send',
      title: commentsStrings.bar.send,
      section: 'Text',
      keys: 'Mod+Enter',
      where: commentsStrings.bar.whereSending,
    }),
    {
      id: 'comments.next',
      title: commentsStrings.bar.next,
      section: 'Go to',
      keys: 'F8',
      where: commentsStrings.bar.whereStepping,
      run: () => goToNeighbour(1),
    },
    {
      id: 'comments.previous',
      title: commentsStrings.bar.previous,
      section: 'Go to',
      keys: 'Shift+F8',
      where: commentsStrings.bar.whereStepping,
      run: () => goToNeighbour(-1),
    },
  ])
  return (
    <div className="sticky top-0 z-10 flex items-center gap-1 border-b border-line bg-paper px-3 py-1.5">
      <fieldset aria-label={commentsStrings.bar.shown} className="flex gap-0.5">
        <FilterButton
          name={commentsStrings.bar.open}
          count={allThreads.length - resolved}
          isOn={filter === 'open'}
          onClick={() => onFilter('open')}
        />
        <FilterButton
          name={commentsStrings.bar.resolved}
          count={resolved}
          isOn={filter === 'resolved'}
          onClick={() => onFilter('resolved')}
        />
      </fieldset>
      <span className="flex-1" />
      <StepButton
        name={commentsStrings.bar.previous}
        keys="Shift+F8"
        Icon={ChevronUp}
        onClick={() => goToNeighbour(-1)}
      />
      <StepButton
        name={commentsStrings.bar.next}
        keys="F8"
        Icon={ChevronDown}
        onClick={() => goToNeighbour(1)}
      />
    </div>
  )
}

function neighbourThread(
  threads: readonly LocatedThread[],
  active: string | null,
  direction: 1 | -1,
): LocatedThread | undefined {
  const index = threads.findIndex(({ thread }) => thread.id === active)
  const next = index === -1 ? (direction === 1 ? 0 : threads.length - 1) : index + direction
  return threads[(next + threads.length) % threads.length]
}

/** Moves the focus only if it is in the panel already, and never away from the text. */
function focusThread(id: string): void {
  const card = document.getElementById(`thread-${id}`)
  if (card?.closest('[data-panel-body]')?.contains(document.activeElement))
    card.focus({ preventScroll: true })
}

interface FilterButtonProps {
  readonly name: string
  readonly count: number
  readonly isOn: boolean
  readonly onClick: () => void
}

const FilterButton = ({ name, count, isOn, onClick }: FilterButtonProps) => (
  <button
    type="button"
    aria-pressed={isOn}
    onClick={onClick}
    className={`${buttonClass({ look: 'quiet', shape: 'small' })} aria-pressed:bg-accent-soft aria-pressed:text-accent`}
  >
    {name} <span className="tabular-nums">{count}</span>
  </button>
)

interface StepButtonProps {
  readonly name: string
  readonly keys: string
  readonly Icon: typeof ChevronUp
  readonly onClick: () => void
}

const StepButton = ({ name, keys, Icon, onClick }: StepButtonProps) => (
  <Hint text={name} keys={keys}>
    <button
      type="button"
      aria-label={name}
      onClick={onClick}
      className={`${buttonClass({ look: 'quiet', shape: 'small' })} w-8`}
    >
      <Icon size={16} aria-hidden />
    </button>
  </Hint>
)
