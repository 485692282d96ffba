'use client'

import { ChevronDown, ChevronUp } from 'lucide-react'
import type { Placed } from '@/lib/comments/placed.ts'
import { toldKeys } from '@/components/commands/registry'
import { useCommands } from '@/components/commands/use-commands'
import { buttonClass } from '@/components/ui/button'
import { Hint } from '@/components/ui/hint'
import { strings } from '@/lib/strings/comments.ts'

export type Shown = 'open' | 'resolved'

interface ThreadBarProps {
  readonly all: readonly Placed[]
  /** Those that are shown. */
  readonly threads: readonly Placed[]
  readonly active: string | null
  readonly shown: Shown
  readonly onShow: (shown: Shown) => void
  readonly onLook: (placed: Placed) => void
}

/** Which threads are shown, and from one to the next. */
export function ThreadBar({ all, threads, active, shown, onShow, onLook }: ThreadBarProps) {
  const resolved = all.filter(({ thread }) => thread.resolved).length
  const step = (by: 1 | -1) => {
    const next = stepFrom(threads, active, by)
    if (!next) return
    onLook(next)
    focusThread(next.thread.id)
  }
  useCommands([
    toldKeys({
      id: 'comment.send',
      title: strings.bar.send,
      section: 'Text',
      keys: 'Mod+Enter',
      where: strings.bar.whereSending,
    }),
    {
      id: 'comments.next',
      title: strings.bar.next,
      section: 'Go to',
      keys: 'F8',
      where: strings.bar.whereStepping,
      run: () => step(1),
    },
    {
      id: 'comments.previous',
      title: strings.bar.previous,
      section: 'Go to',
      keys: 'Shift+F8',
      where: strings.bar.whereStepping,
      run: () => step(-1),
    },
  ])
  return (
    <div className="sticky top-0 z-10 flex items-center gap-1 border-b border-line bg-paper px-3 py-1.5">
      <fieldset aria-label={strings.bar.shown} className="flex gap-0.5">
        <Choice
          name={strings.bar.open}
          count={all.length - resolved}
          on={shown === 'open'}
          onClick={() => onShow('open')}
        />
        <Choice
          name={strings.bar.resolved}
          count={resolved}
          on={shown === 'resolved'}
          onClick={() => onShow('resolved')}
        />
      </fieldset>
      <span className="flex-1" />
      <Step name={strings.bar.previous} keys="Shift+F8" Icon={ChevronUp} onClick={() => step(-1)} />
      <Step name={strings.bar.next} keys="F8" Icon={ChevronDown} onClick={() => step(1)} />
    </div>
  )
}

function stepFrom(threads: readonly Placed[], active: string | null, by: 1 | -1): Placed | undefined {
  const index = threads.findIndex(({ thread }) => thread.id === active)
  const next = index === -1 ? (by === 1 ? 0 : threads.length - 1) : index + by
  return threads[(next + threads.length) % threads.length]
}

/** Only where the keyboard is in the panel already: it is not taken away from the text. */
function focusThread(id: string): void {
  const card = document.getElementById(`thread-${id}`)
  if (card?.closest('[data-panel-body]')?.contains(document.activeElement))
    card.focus({ preventScroll: true })
}

interface ChoiceProps {
  readonly name: string
  readonly count: number
  readonly on: boolean
  readonly onClick: () => void
}

const Choice = ({ name, count, on, onClick }: ChoiceProps) => (
  <button
    type="button"
    aria-pressed={on}
    onClick={onClick}
    className={`${buttonClass({ look: 'quiet', shape: 'small' })} aria-pressed:bg-accent-soft aria-pressed:text-accent`}
  >
    {name} <span className="tabular-nums">{count}</span>
  </button>
)

interface StepProps {
  readonly name: string
  readonly keys: string
  readonly Icon: typeof ChevronUp
  readonly onClick: () => void
}

const Step = ({ name, keys, Icon, onClick }: StepProps) => (
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
