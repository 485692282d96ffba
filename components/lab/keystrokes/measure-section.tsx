'use client'

import { useState } from 'react'
import type { TransportId } from '@/lib/transports/transport.ts'
import { strings as common } from '@/lib/strings/common.ts'
import { strings } from '@/lib/strings/lab.ts'
import { nameOf } from '@/components/connection/words'
import { useSteadyStatus } from '@/components/editor/use-document'
import { Button } from '@/components/ui/button'
import { ProgressBar } from '../progress-bar'
import type { Progress } from './measure'
import type { LabResult } from './result'
import type { Scene } from './subject'
import { type Measurement, useMeasurement } from './use-measurement'

const amounts = [50, 100, 200] as const
const intervals = [50, 100, 250] as const

interface MeasureSectionProps {
  readonly scene: Scene
  readonly onResult: (result: LabResult) => void
}

export function MeasureSection({ scene, onResult }: MeasureSectionProps) {
  const { offered } = useSteadyStatus(scene.opened)
  const [left, setLeft] = useState<readonly TransportId[]>([])
  const [edits, setEdits] = useState<number>(100)
  const [intervalMs, setIntervalMs] = useState<number>(100)
  const measurement = useMeasurement(scene, onResult)
  const transports = offered.filter((id) => !left.includes(id))
  const toggle = (id: TransportId) =>
    setLeft(left.includes(id) ? left.filter((one) => one !== id) : [...left, id])
  const busy = measurement.progress !== null
  return (
    <section
      aria-labelledby="measure"
      className="flex flex-col gap-4 rounded-xl border border-line bg-raised p-4"
    >
      <h2 id="measure" className="text-lg font-semibold">
        {strings.measure.title}
      </h2>
      <fieldset disabled={busy} className="flex flex-wrap gap-x-5 gap-y-1">
        <legend className="mb-1 text-sm font-semibold">{strings.measure.transports}</legend>
        {offered.map((id) => (
          <label key={id} className="flex min-h-8 items-center gap-2">
            <input
              type="checkbox"
              checked={!left.includes(id)}
              onChange={() => toggle(id)}
              className="size-4 accent-accent"
            />
            {nameOf(id)}
          </label>
        ))}
      </fieldset>
      <div className="flex flex-wrap items-end gap-4">
        <Choice
          label={strings.measure.edits}
          value={edits}
          choices={amounts}
          busy={busy}
          onChange={setEdits}
        />
        <Choice
          label={strings.measure.interval}
          value={intervalMs}
          choices={intervals}
          busy={busy}
          onChange={setIntervalMs}
        />
        {busy ? (
          <Button onClick={measurement.cancel}>{common.cancel}</Button>
        ) : (
          <Button
            look="primary"
            disabled={transports.length === 0}
            onClick={() => measurement.start({ transports, edits, intervalMs })}
          >
            {strings.measure.start}
          </Button>
        )}
      </div>
      <Going measurement={measurement} turns={transports.length} edits={edits} />
    </section>
  )
}

interface ChoiceProps {
  readonly label: string
  readonly value: number
  readonly choices: readonly number[]
  readonly busy: boolean
  readonly onChange: (value: number) => void
}

const Choice = ({ label, value, choices, busy, onChange }: ChoiceProps) => (
  <label className="flex flex-col gap-1 text-sm">
    {label}
    <select
      value={value}
      disabled={busy}
      onChange={({ target }) => onChange(Number(target.value))}
      className="h-9 rounded-lg border border-edge bg-transparent px-2 tabular-nums"
    >
      {choices.map((choice) => (
        <option key={choice} value={choice}>
          {choice}
        </option>
      ))}
    </select>
  </label>
)

function Going({
  measurement: { progress, problem, isCancelled },
  turns,
  edits,
}: {
  measurement: Measurement
  turns: number
  edits: number
}) {
  if (problem)
    return (
      <p role="alert" className="text-sm text-danger">
        {problem}
      </p>
    )
  if (!progress)
    return (
      <output className="text-sm text-muted empty:absolute">
        {isCancelled && strings.measure.cancelled}
      </output>
    )
  const done = (progress.turn + progress.made / edits) / Math.max(1, turns)
  return (
    <div className="flex flex-col gap-1.5">
      <ProgressBar name={strings.measure.progress} value={done} most={1} />
      {/* Not each edit is said: the phases are. */}
      <output className="text-sm text-muted">{sentenceOf(progress, turns)}</output>
    </div>
  )
}

const sentenceOf = ({ transport, turn, phase }: Progress, turns: number): string =>
  strings.measure.progressOf(nameOf(transport), turn + 1, turns, strings.measure.phases[phase])
