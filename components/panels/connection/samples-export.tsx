'use client'

import { Download, RotateCcw } from 'lucide-react'
import { useId } from 'react'
import { samplesToCsv, samplesToJson } from '@/lib/latency/export-samples.ts'
import type { Latency, LatencySamples } from '@/lib/latency/latency-state.ts'
import { inspectorStrings } from '@/lib/strings/inspector.ts'
import { saveFile } from '@/components/save-file.ts'
import { Button } from '@/components/ui/button.tsx'
import type { MeasuredWindow } from './measured-windows.ts'

interface SamplesExportProps {
  readonly author: MeasuredWindow
  readonly document: string
  readonly latency: Latency
  readonly onReset: () => void
}

/** Exports the measurements of one window's edits. */
export function SamplesExport({ author, document, latency, onReset }: SamplesExportProps) {
  const id = useId()
  const samples = () => (author.self ? latency.samples() : samplesOf(author, document))
  const reset = () => {
    latency.reset()
    onReset()
  }
  return (
    <section aria-labelledby={id} className="flex min-w-0 flex-col gap-2">
      <h3 id={id} className="text-sm font-semibold">
        {inspectorStrings.samples.title(author.name)}
      </h3>
      <p className="text-sm text-muted">
        {author.self
          ? inspectorStrings.samples.own
          : inspectorStrings.samples.received(author.summary.timelines.length)}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button shape="small" onClick={() => saveSamples('json', samplesToJson(samples()))}>
          <Download size={15} aria-hidden /> {inspectorStrings.samples.json}
        </Button>
        <Button shape="small" onClick={() => saveSamples('csv', samplesToCsv(samples()))}>
          <Download size={15} aria-hidden /> {inspectorStrings.samples.csv}
        </Button>
        <Button shape="small" look="quiet" onClick={reset}>
          <RotateCcw size={15} aria-hidden /> {inspectorStrings.samples.reset}
        </Button>
      </div>
    </section>
  )
}

function samplesOf({ id: window, summary }: MeasuredWindow, document: string): LatencySamples {
  const { timelines: edits, roundTrip, own: _own, earlier: _earlier, ...now } = summary
  return { takenAt: Date.now(), document, window, ...now, edits, roundTrips: roundTrip.history }
}

function saveSamples(ending: string, text: string): void {
  const time = new Date().toISOString().slice(0, 19).replaceAll(':', '-')
  saveFile(`diptych-latency-${time}.${ending}`, text)
}
