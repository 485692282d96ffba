'use client'

import { Radio } from '@base-ui/react/radio'
import { RadioGroup } from '@base-ui/react/radio-group'
import { LoaderCircle } from 'lucide-react'
import { useId } from 'react'
import { strings } from '@/lib/strings/connection-dialog.ts'
import type { StableSyncStatus, TransportChoice } from '@/lib/sync/status.ts'
import { useConnectionUi } from './choice'
import type { Switching } from './use-switch'
import { useNow } from './use-now'
import { automaticNow, explanationOf, nameOf } from './words'

export function TransportChoices({ status, switching }: { status: StableSyncStatus; switching: Switching }) {
  const { onlyHere } = useConnectionUi()
  const choices: TransportChoice[] = ['automatic', ...status.offered]
  const now = automaticNow(status, useNow())
  return (
    <div className="flex flex-col gap-3">
      <RadioGroup
        aria-label={strings.transport.label}
        value={switching.pending ?? status.choice}
        onValueChange={(choice: TransportChoice) => switching.choose(choice, onlyHere)}
        className="divide-y divide-line overflow-hidden rounded-xl border border-line"
      >
        {choices.map((choice) => (
          <Choice key={choice} choice={choice} now={choice === 'automatic' ? now : null} />
        ))}
      </RadioGroup>
      <Progress status={status} switching={switching} />
    </div>
  )
}

interface ChoiceProps {
  readonly choice: TransportChoice
  /** What it does just now. */
  readonly now: string | null
}

function Choice({ choice, now }: ChoiceProps) {
  const id = useId()
  return (
    <label
      htmlFor={id}
      className="flex cursor-pointer gap-3 px-3.5 py-2.5 hover:bg-sunk has-focus-visible:bg-sunk"
    >
      <Radio.Root
        id={id}
        value={choice}
        aria-labelledby={`${id}-name`}
        aria-describedby={`${id}-what`}
        className="mt-0.5 grid size-5 shrink-0 place-items-center rounded-full border border-edge data-checked:border-accent data-checked:bg-accent"
      >
        <Radio.Indicator className="size-2 rounded-full bg-accent-ink" />
      </Radio.Root>
      <span>
        <span id={`${id}-name`} className="font-medium">
          {nameOf(choice)}
        </span>
        <span id={`${id}-what`} className="block text-sm text-muted">
          {explanationOf(choice)}
          {now && <span className="mt-0.5 block text-ink tabular-nums">{now}</span>}
        </span>
      </span>
    </label>
  )
}

function Progress({ status, switching }: { status: StableSyncStatus; switching: Switching }) {
  const target = switching.pending
  const { switching: switchingTo, switchingWhileUp } = strings.transport
  const sentence = status.link.state === 'up' ? switchingWhileUp : switchingTo
  return (
    <>
      <output
        aria-label={strings.transport.progress}
        className="flex items-start gap-2 text-sm text-muted empty:absolute"
      >
        {target && (
          <>
            <LoaderCircle size={16} aria-hidden className="mt-0.5 shrink-0 animate-spin" />
            <span>{sentence(nameOf(target))}</span>
          </>
        )}
      </output>
      <p role="alert" className="text-sm text-danger empty:absolute">
        {switching.problem}
      </p>
    </>
  )
}
