'use client'

import { useId, useState } from 'react'
import type { Latency } from '@/lib/latency/latency-state.ts'
import { inspectorStrings } from '@/lib/strings/inspector.ts'
import { SelectField } from '@/components/ui/select-field.tsx'
import { EditInspector } from './edit-inspector.tsx'
import { TransportEvents } from './transport-events.tsx'
import { SamplesExport } from './samples-export.tsx'
import { StageHistogram } from './stage-histogram.tsx'
import { PercentileChart } from './percentile-chart.tsx'
import { RoundTripChart } from './round-trip-chart.tsx'
import { busiestWindow, windowNamer, type MeasuredWindow } from './measured-windows.ts'
import { TrafficChart } from './traffic-chart.tsx'
import { StageTable } from './stage-table.tsx'

interface MeasurementsProps {
  readonly document: string
  readonly measuredWindows: readonly MeasuredWindow[]
  readonly latency: Latency
  readonly onReset: () => void
}

/** Shows all windows side by side, then the edits of one of them. */
export default function Measurements(props: MeasurementsProps) {
  const { document, measuredWindows, latency, onReset } = props
  const id = useId()
  const [chosen, setChosen] = useState<string | null>(null)
  const author = measuredWindows.find((one) => one.id === chosen) ?? busiestWindow(measuredWindows)
  if (!author) return null
  const nameOf = windowNamer(measuredWindows)
  return (
    <>
      <RoundTripChart measuredWindows={measuredWindows} />
      <PercentileChart measuredWindows={measuredWindows} />
      <section aria-labelledby={id} className="flex min-w-0 flex-col gap-2 @2xl:col-span-2">
        <div className="flex min-h-8 flex-wrap items-center gap-2">
          <h3 id={id} className="min-w-40 flex-1 text-sm font-semibold">
            {inspectorStrings.stages.title}
          </h3>
          <SelectField
            label={inspectorStrings.stages.madeIn}
            labelPlace="beside"
            value={author.id}
            choices={measuredWindows.map(({ id: window, name, self }) => [
              window,
              self ? inspectorStrings.nameOfThisOne(name) : name,
            ])}
            onChange={setChosen}
          />
        </div>
        <StageTable author={author} nameOf={nameOf} />
      </section>
      <EditInspector key={author.id} author={author} nameOf={nameOf} />
      <StageHistogram author={author} nameOf={nameOf} />
      <TrafficChart measuredWindows={measuredWindows} />
      <div className="flex min-w-0 flex-col gap-8">
        <TransportEvents measuredWindows={measuredWindows} />
        <SamplesExport author={author} document={document} latency={latency} onReset={onReset} />
      </div>
    </>
  )
}
