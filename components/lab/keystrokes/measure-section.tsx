'use client'

import { useState } from 'react'
import type { TransportId } from '@/lib/transports/transport.ts'
import { commonStrings } from '@/lib/strings/common.ts'
import { labStrings } from '@/lib/strings/lab.ts'
import { transportNameOf } from '@/components/connection/connection-text.ts'
import { useStableStatus } from '@/components/opening/use-document.ts'
import { Button } from '@/components/ui/button.tsx'
import { SelectField } from '@/components/ui/select-field.tsx'
import { ProgressBar } from '../progress-bar.tsx'
import type { MeasurementProgress } from './measure-lanes.ts'
import type { KeystrokesResult } from './keystrokes-result.ts'
import type { LabContext } from './windows-under-test.ts'
import { type Measurement, useMeasurement } from './use-measurement.ts'

const editAmounts = [50, 100, 200] as const
const intervals = [50, 100, 250] as const

interface MeasureSectionProps {
  readonly context: LabContext
  readonly onResult: (result: KeystrokesResult) => void
}

export function MeasureSection({ context, onResult }: MeasureSectionProps) {
  const { offered } = useStableStatus(context.opened)
  const [excluded, setExcluded] = useState<readonly TransportId[]>([])
  const [edits, setEdits] = useState<number>(100)
  const [intervalMs, setIntervalMs] = useState<number>(100)
  const measurement = useMeasurement(context, onResult)
  const transports = offered.filter((id) => !excluded.includes(id))
  const toggle = (id: TransportId) =>
    setExcluded(excluded.includes(id) ? excluded.filter((one) => one !== id) : [...excluded, id])
  const busy = measurement.progress !== null
  return (
    <section
      aria-labelledby="measure"
      className="flex flex-col gap-4 rounded-xl border border-line bg-raised p-4"
    >
      <h2 id="measure" className="text-lg font-semibold">
        {labStrings.measure.title}
      </h2>
      <fieldset disabled={busy} className="flex flex-wrap gap-x-5 gap-y-1">
        <legend className="mb-1 text-sm font-semibold">{labStrings.measure.transports}</legend>
        {offered.map((id) => (
          <label key={id} className="flex min-h-8 items-center gap-2">
            <input
              type="checkbox"
              checked={!excluded.includes(id)}
              onChange={() => toggle(id)}
              className="size-4 accent-accent"
            />
            {transportNameOf(id)}
          </label>
        ))}
      </fieldset>
      <div className="flex flex-wrap items-end gap-4">
        <SelectField
          labelPlace="above"
          label={labStrings.measure.edits}
          value={edits}
          choices={editAmounts.map((amount) => [amount, String(amount)])}
          isDisabled={busy}
          onChange={setEdits}
        />
        <SelectField
          labelPlace="above"
          label={labStrings.measure.interval}
          value={intervalMs}
          choices={intervals.map((ms) => [ms, String(ms)])}
          isDisabled={busy}
          onChange={setIntervalMs}
        />
        {busy ? (
          <Button onClick={measurement.cancel}>{commonStrings.cancel}</Button>
        ) : (
          <Button
            look="primary"
            disabled={transports.length === 0}
            onClick={() => measurement.start({ transports, edits, intervalMs })}
          >
            {labStrings.measure.start}
          </Button>
        )}
      </div>
      <MeasurementStatus measurement={measurement} laneCount={transports.length} edits={edits} />
    </section>
  )
}

function MeasurementStatus({
  measurement: { progress, problem, isCancelled },
  laneCount,
  edits,
}: {
  measurement: Measurement
  laneCount: number
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
        {isCancelled && labStrings.measure.cancelled}
      </output>
    )
  const doneShare = (progress.laneIndex + progress.editCount / edits) / Math.max(1, laneCount)
  return (
    <div className="flex flex-col gap-1.5">
      <ProgressBar name={labStrings.measure.progress} value={doneShare} max={1} />
      {/* Only the phases are announced, not each edit. */}
      <output className="text-sm text-muted">{progressSentence(progress, laneCount)}</output>
    </div>
  )
}

const progressSentence = ({ transport, laneIndex, phase }: MeasurementProgress, laneCount: number): string =>
  labStrings.measure.progressOf(
    transportNameOf(transport),
    laneIndex + 1,
    laneCount,
    labStrings.measure.phases[phase],
  )
