'use client'

import { useMemo, useState } from 'react'
import { Evidence } from '@/components/connection/evidence'
import { InUse } from '@/components/connection/in-use'
import { OfflineNote } from '@/components/connection/offline-note'
import { useLatency, type Measured } from '@/components/latency/use-latency'
import { windowNumber } from '@/components/latency/window-number'
import type { PanelProps } from '@/components/panels/panel'
import { Late } from '@/components/ui/late'
import { ownPage } from '@/components/windows/own-page'
import { kindName, windowName } from '@/components/windows/words'
import { Counters } from './counters'
import { OwnWindows } from './own-windows'
import { seenOf, ToldEdits, type Seen } from './seen'

// What is there at once is the list of windows; what draws, chooses and simulates comes after it.
const loadMeasurements = () => import('./measurements')
const loadSimulator = () => import('./simulator')
const loadThisWindow = () => import('./this-window')

export default function ConnectionPanel({ opened, status, document }: PanelProps) {
  const measured = useLatency(opened, 'person')
  const [told] = useState(() => new ToldEdits())
  const seen = useSeen(measured, told)
  return (
    <div className="@container mx-auto w-full max-w-6xl p-4">
      <div className="grid gap-x-8 gap-y-8 @2xl:grid-cols-2">
        <OwnWindows seen={seen} />
        {measured && (
          <Late
            load={loadMeasurements}
            props={{ document, seen, latency: measured.latency, onReset: told.forget }}
          />
        )}
        <Late load={loadSimulator} props={{ opened, document }} waiting={<Room />} />
        <div className="flex flex-col gap-6">
          <InUse opened={opened} status={status} roundTripMs={measured?.state.roundTrip.now} />
          <Counters opened={opened} />
          <Evidence evidence={status.evidence} />
          <OfflineNote />
        </div>
        <Late load={loadThisWindow} props={{ opened, status }} waiting={<Room />} />
      </div>
    </div>
  )
}

const none: readonly Seen[] = []

function useSeen(measured: Measured | null, told: ToldEdits): readonly Seen[] {
  return useMemo(() => {
    if (!measured) return none
    const { own } = ownPage().register
    const { latency, state } = measured
    return told.with(
      seenOf(
        { id: own.id, name: own.kind === 'text' ? windowName(own) : kindName(own.kind) },
        state,
        latency.timelines(),
        windowNumber,
      ),
    )
  }, [measured, told])
}

/** As much as what comes will take, about: what stands below stays where it is. */
const Room = () => <div className="min-h-96" />
