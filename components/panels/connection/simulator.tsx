'use client'

import { Unplug } from 'lucide-react'
import { useId, useState } from 'react'
import type { OpenDocument } from '@/lib/client.ts'
import { inspectorStrings } from '@/lib/strings/inspector.ts'
import { NO_CONDITIONS, MAX_DELAY_MS, type NetworkConditions } from '@/lib/transports/network-conditions.ts'
import { networkTransports } from '@/lib/transports/descriptors.ts'
import type { OwnWindowEntry } from '@/lib/windows/window-registry.ts'
import { transportNameOf } from '@/components/connection/connection-text.ts'
import { SimulatedBadge } from '@/components/latency/simulated-badge.tsx'
import { Button } from '@/components/ui/button.tsx'
import { ownPage } from '@/components/windows/own-page.ts'
import { useOwnWindowEntries, useWindowNames } from '@/components/windows/use-own-window-entries.ts'
import { SelectField } from '@/components/ui/select-field.tsx'
import { useDraft } from './use-draft.ts'

interface SimulatorProps {
  readonly opened: OpenDocument
  readonly document: string
}

/** Simulates a worse network for any window of this person. It acts on the session, so that it treats every transport alike. */
export default function Simulator({ opened, document }: SimulatorProps) {
  const id = useId()
  const windows = useOwnWindowEntries().filter((entry) => entry.document === document)
  const windowName = useWindowNames()
  const [chosen, setChosen] = useState('')
  const target = windows.find((entry) => entry.id === chosen) ?? defaultTargetOf(windows)
  if (!target) return null
  return (
    <section aria-labelledby={id} className="flex min-w-0 flex-col gap-3">
      <h3 id={id} className="flex items-center gap-2 text-sm font-semibold">
        {inspectorStrings.simulator.title} {target.simulated && <SimulatedBadge />}
      </h3>
      <p className="text-sm text-muted">{inspectorStrings.simulator.hint}</p>
      <SelectField
        label={inspectorStrings.simulator.window}
        labelPlace="beside"
        value={target.id}
        choices={windows.map((entry) => [entry.id, targetName(entry, windowName(entry))])}
        onChange={setChosen}
      />
      <Controls key={target.id} target={target} opened={opened} />
    </section>
  )
}

/** The text window, if one is open: people want to know how it behaves. */
const defaultTargetOf = (windows: readonly OwnWindowEntry[]): OwnWindowEntry | undefined =>
  windows.find(({ kind }) => kind === 'text') ?? windows[0]

const targetName = ({ self }: OwnWindowEntry, name: string): string =>
  self ? inspectorStrings.nameOfThisOne(name) : name

function Controls({ target, opened }: { target: OwnWindowEntry; opened: OpenDocument }) {
  const [conditions, change] = useDraft(target.simulated ?? NO_CONDITIONS, (next) =>
    simulate(target, opened, next),
  )
  const block = (transport: NetworkConditions['blocked'][number], isBlocked: boolean) =>
    change({
      ...conditions,
      blocked: networkTransports.filter((one) =>
        one === transport ? isBlocked : conditions.blocked.includes(one),
      ),
    })
  return (
    <>
      <Slider
        name={inspectorStrings.simulator.delay}
        value={conditions.delayMs}
        onChange={(delayMs) => change({ ...conditions, delayMs })}
      />
      <Slider
        name={inspectorStrings.simulator.jitter}
        value={conditions.jitterMs}
        onChange={(jitterMs) => change({ ...conditions, jitterMs })}
      />
      <Checkbox
        name={inspectorStrings.simulator.silent}
        checked={conditions.silent}
        onChange={(silent) => change({ ...conditions, silent })}
      />
      <fieldset>
        <legend className="mb-1 text-sm text-muted">{inspectorStrings.simulator.block}</legend>
        <div className="flex flex-wrap gap-x-4 gap-y-1">
          {networkTransports.map((transport) => (
            <Checkbox
              key={transport}
              name={transportNameOf(transport)}
              checked={conditions.blocked.includes(transport)}
              onChange={(isBlocked) => block(transport, isBlocked)}
            />
          ))}
        </div>
      </fieldset>
      <div className="flex flex-wrap gap-2">
        <Button shape="small" onClick={() => cut(target, opened)}>
          <Unplug size={15} aria-hidden /> {inspectorStrings.simulator.cut}
        </Button>
        <Button shape="small" disabled={isClear(conditions)} onClick={() => change(NO_CONDITIONS)}>
          {inspectorStrings.simulator.clear}
        </Button>
      </div>
    </>
  )
}

const isClear = ({ delayMs, jitterMs, silent, blocked }: NetworkConditions): boolean =>
  delayMs === 0 && jitterMs === 0 && !silent && blocked.length === 0

function simulate(target: OwnWindowEntry, opened: OpenDocument, next: NetworkConditions): void {
  const conditions = isClear(next) ? null : next
  // The status and the figures show the result.
  if (target.self) void opened.simulate(conditions).catch(() => undefined)
  else ownPage().registry.sendRequest(target.id, { type: 'simulate', conditions })
}

function cut(target: OwnWindowEntry, opened: OpenDocument): void {
  if (target.self) opened.cutLink()
  else ownPage().registry.sendRequest(target.id, { type: 'cut' })
}

interface SliderProps {
  readonly name: string
  readonly value: number
  readonly onChange: (value: number) => void
}

function Slider({ name, value, onChange }: SliderProps) {
  const id = useId()
  return (
    <div className="grid grid-cols-[1fr_4.5rem] items-center gap-x-3 text-sm @md:grid-cols-[7rem_1fr_4.5rem]">
      <label htmlFor={id} className="text-muted">
        {name}
      </label>
      <input
        id={id}
        type="range"
        min={0}
        max={MAX_DELAY_MS}
        step={5}
        value={value}
        aria-valuetext={`${value} ms`}
        onChange={({ target }) => onChange(Number(target.value))}
        className="h-6 w-full min-w-0 accent-accent @max-md:order-last @max-md:col-span-2"
      />
      <output htmlFor={id} className="text-right tabular-nums">
        {value} ms
      </output>
    </div>
  )
}

interface CheckboxProps {
  readonly name: string
  readonly checked: boolean
  readonly onChange: (checked: boolean) => void
}

const Checkbox = ({ name, checked, onChange }: CheckboxProps) => (
  <label className="flex min-h-7 items-center gap-2 text-sm">
    <input
      type="checkbox"
      checked={checked}
      onChange={({ target }) => onChange(target.checked)}
      className="size-4 shrink-0 accent-accent"
    />
    {name}
  </label>
)
