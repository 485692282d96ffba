'use client'

import { useMemo, useState } from 'react'
import { EvidenceList } from '@/components/connection/evidence-list.tsx'
import { LinkInUse } from '@/components/connection/link-in-use.tsx'
import { OfflineRefusedNote } from '@/components/connection/offline-refused-note.tsx'
import { useLatency, type LatencyMeasurement } from '@/components/latency/use-latency.ts'
import { windowNumber } from '@/components/latency/window-number.ts'
import type { PanelProps } from '@/components/panels/panel-props.ts'
import { LazyComponent } from '@/components/ui/lazy-component.tsx'
import { ownPage } from '@/components/windows/own-page.ts'
import { windowKindName, windowName } from '@/components/windows/window-text.ts'
import { Counters } from './counters.tsx'
import { OwnWindowsTable } from './own-windows-table.tsx'
import { measuredWindowsOf, ReceivedEdits, type MeasuredWindow } from './measured-windows.ts'

// The list of windows is there at once; the code for charts and the simulator loads after it.
const loadMeasurements = () => import('./measurements.tsx')
const loadSimulator = () => import('./simulator.tsx')
const loadThisWindow = () => import('./this-window.tsx')

export default function ConnectionPanel({ opened, status, document }: PanelProps) {
  const measurement = useLatency(opened, 'person')
  const [receivedEdits] = useState(() => new ReceivedEdits())
  const measuredWindows = useMeasuredWindows(measurement, receivedEdits)
  return (
    <div className="@container mx-auto w-full max-w-6xl p-4">
      <div className="grid gap-x-8 gap-y-8 @2xl:grid-cols-2">
        <OwnWindowsTable measuredWindows={measuredWindows} />
        {measurement && (
          <LazyComponent
            load={loadMeasurements}
            props={{
              document,
              measuredWindows,
              latency: measurement.latency,
              onReset: receivedEdits.clear,
            }}
          />
        )}
        <LazyComponent load={loadSimulator} props={{ opened, document }} fallback={<Placeholder />} />
        <div className="flex flex-col gap-6">
          <LinkInUse opened={opened} status={status} roundTripMs={measurement?.state.roundTrip.now} />
          <Counters opened={opened} />
          <EvidenceList evidence={status.evidence} />
          <OfflineRefusedNote />
        </div>
        <LazyComponent load={loadThisWindow} props={{ opened, status }} fallback={<Placeholder />} />
      </div>
    </div>
  )
}

const noWindows: readonly MeasuredWindow[] = []

function useMeasuredWindows(
  measurement: LatencyMeasurement | null,
  receivedEdits: ReceivedEdits,
): readonly MeasuredWindow[] {
  return useMemo(() => {
    if (!measurement) return noWindows
    const { own } = ownPage().registry
    const { latency, state } = measurement
    return receivedEdits.addReceived(
      measuredWindowsOf(
        { id: own.id, name: own.kind === 'text' ? windowName(own) : windowKindName(own.kind) },
        state,
        latency.timelines(),
        windowNumber,
      ),
    )
  }, [measurement, receivedEdits])
}

/** Reserves about the height of what loads, so that what is below stays in place. */
const Placeholder = () => <div className="min-h-96" />
