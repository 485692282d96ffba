'use client'

import { Radio } from '@base-ui/react/radio'
import { RadioGroup } from '@base-ui/react/radio-group'
import { LoaderCircle } from 'lucide-react'
import { useId, type RefObject } from 'react'
import { connectionDialogStrings } from '@/lib/strings/connection-dialog.ts'
import type { StableSyncStatus, TransportChoice } from '@/lib/sync/status.ts'
import { useTransportScope } from './remembered-transport.ts'
import type { TransportSwitchControl } from './use-transport-switch.ts'
import { useSessionTime } from './use-session-time.ts'
import { automaticStateText, transportExplanation, transportNameOf } from './connection-text.ts'

interface TransportChoicesProps {
  readonly status: StableSyncStatus
  readonly transportSwitch: TransportSwitchControl
  /** Is given the radio button that is chosen. */
  readonly chosenRadio?: RefObject<HTMLElement | null>
}

export function TransportChoices({ status, transportSwitch, chosenRadio }: TransportChoicesProps) {
  const { thisWindowOnly } = useTransportScope()
  const choices: TransportChoice[] = ['automatic', ...status.offered]
  const automaticState = automaticStateText(status, useSessionTime())
  const chosen = transportSwitch.pending ?? status.choice
  return (
    <div className="flex flex-col gap-3">
      <RadioGroup
        aria-label={connectionDialogStrings.transport.label}
        value={chosen}
        onValueChange={(choice: TransportChoice) => transportSwitch.choose(choice, thisWindowOnly)}
        className="divide-y divide-line overflow-hidden rounded-xl border border-line"
      >
        {choices.map((choice) => (
          <TransportRadio
            key={choice}
            choice={choice}
            automaticState={choice === 'automatic' ? automaticState : null}
            radio={choice === chosen ? chosenRadio : undefined}
          />
        ))}
      </RadioGroup>
      <SwitchProgress status={status} transportSwitch={transportSwitch} />
    </div>
  )
}

interface TransportRadioProps {
  readonly choice: TransportChoice
  /** What this choice does at the moment. */
  readonly automaticState: string | null
  readonly radio: RefObject<HTMLElement | null> | undefined
}

function TransportRadio({ choice, automaticState, radio }: TransportRadioProps) {
  const id = useId()
  return (
    <label
      htmlFor={id}
      className="flex cursor-pointer gap-3 px-3.5 py-2.5 hover:bg-sunk has-focus-visible:bg-sunk"
    >
      <Radio.Root
        ref={radio}
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
          {transportNameOf(choice)}
        </span>
        <span id={`${id}-what`} className="block text-sm text-muted">
          {transportExplanation(choice)}
          {automaticState && <span className="mt-0.5 block text-ink tabular-nums">{automaticState}</span>}
        </span>
      </span>
    </label>
  )
}

function SwitchProgress({
  status,
  transportSwitch,
}: Pick<TransportChoicesProps, 'status' | 'transportSwitch'>) {
  const target = transportSwitch.pending
  const { switching: switchingTo, switchingWhileUp } = connectionDialogStrings.transport
  const sentence = status.link.state === 'up' ? switchingWhileUp : switchingTo
  return (
    <>
      <output
        aria-label={connectionDialogStrings.transport.progress}
        className="flex items-start gap-2 text-sm text-muted empty:absolute"
      >
        {target && (
          <>
            <LoaderCircle size={16} aria-hidden className="mt-0.5 shrink-0 animate-spin" />
            <span>{sentence(transportNameOf(target))}</span>
          </>
        )}
      </output>
      <p role="alert" className="text-sm text-danger empty:absolute">
        {transportSwitch.problem}
      </p>
    </>
  )
}
