'use client'

import { useId, useState } from 'react'
import type { Latency } from '@/lib/latency/state.ts'
import { strings } from '@/lib/strings/inspector.ts'
import { Choice } from './choice'
import { Edits } from './edits'
import { Events } from './events'
import { Export } from './export'
import { Histogram } from './histogram'
import { PercentileLines } from './percentile-lines'
import { RoundTrips } from './round-trips'
import { busiest, nameAmong, type Seen } from './seen'
import { TrafficChart } from './traffic-chart'
import { Ways } from './ways'

interface MeasurementsProps {
  readonly document: string
  readonly seen: readonly Seen[]
  readonly latency: Latency
  readonly onReset: () => void
}

/** All windows side by side, then the edits of one of them. */
export default function Measurements(props: MeasurementsProps) {
  const { document, seen, latency, onReset } = props
  const id = useId()
  const [chosen, setChosen] = useState<string | null>(null)
  const author = seen.find((one) => one.id === chosen) ?? busiest(seen)
  if (!author) return null
  const nameOf = nameAmong(seen)
  return (
    <>
      <RoundTrips seen={seen} />
      <PercentileLines seen={seen} />
      <section aria-labelledby={id} className="flex min-w-0 flex-col gap-2 @2xl:col-span-2">
        <div className="flex min-h-8 flex-wrap items-center gap-2">
          <h3 id={id} className="flex-1 text-sm font-semibold">
            {strings.stages.title}
          </h3>
          <Choice
            name={strings.stages.madeIn}
            isNamed
            value={author.id}
            choices={seen.map(({ id: window, name, self }) => [
              window,
              self ? strings.nameOfThisOne(name) : name,
            ])}
            onChange={setChosen}
          />
        </div>
        <Ways author={author} nameOf={nameOf} />
      </section>
      <Edits key={author.id} author={author} nameOf={nameOf} />
      <Histogram author={author} nameOf={nameOf} />
      <TrafficChart seen={seen} />
      <div className="flex min-w-0 flex-col gap-8">
        <Events seen={seen} />
        <Export author={author} document={document} latency={latency} onReset={onReset} />
      </div>
    </>
  )
}
