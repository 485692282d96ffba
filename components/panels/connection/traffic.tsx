'use client'

import { useEffect, useState } from 'react'
import type { OpenDocument } from '@/lib/client.ts'
import { Chart } from '@/components/charts/chart'
import { bytesText } from '@/components/latency/words'

const SPAN_S = 120

interface Sample {
  readonly at: number
  readonly up: number
  readonly down: number
}

/** One a second while it is on screen. */
function useSamples(opened: Pick<OpenDocument, 'stats'>): readonly Sample[] {
  const [samples, setSamples] = useState<readonly Sample[]>([])
  useEffect(() => {
    let { bytesUp, bytesDown } = opened.stats()
    const look = () => {
      const now = opened.stats()
      const sample = { at: performance.now(), up: now.bytesUp - bytesUp, down: now.bytesDown - bytesDown }
      ;({ bytesUp, bytesDown } = now)
      setSamples((before) => [...before.slice(1 - SPAN_S), sample])
    }
    const timer = setInterval(look, 1000)
    return () => clearInterval(timer)
  }, [opened])
  return samples
}

/** A row of the table stands for so many seconds. */
const STEP_S = 15

/** What goes over this window's link. */
export function TrafficChart({ opened }: { opened: OpenDocument }) {
  const samples = useSamples(opened)
  const now = samples.at(-1)?.at ?? 0
  const placed = samples.map(({ at, up, down }) => ({ x: Math.round((at - now) / 1000), up, down }))
  const lines = [
    { name: 'Up', points: placed.map(({ x, up }) => ({ x, y: up })) },
    { name: 'Down', points: placed.map(({ x, down }) => ({ x, y: down })) },
  ]
  return (
    <Chart
      title="Bytes a second, this window"
      sentence="All frames of its session, stamps and answers of this inspector among them."
      empty="Counting."
      kind="lines"
      lines={lines}
      figures={{ head: ['Seconds ago', 'Up', 'Down'], rows: rowsOf(placed) }}
      xRange={[-SPAN_S, 0]}
      xMarks={[-120, -90, -60, -30, 0]}
      xText={(x) => (x === 0 ? 'now' : `−${-x} s`)}
      yText={(y) => (y < 1000 ? `${y} B` : `${y / 1000} kB`)}
    />
  )
}

function rowsOf(samples: readonly { x: number; up: number; down: number }[]): readonly string[][] {
  return Array.from({ length: SPAN_S / STEP_S }, (_, index) => {
    const [from, to] = [index * STEP_S, (index + 1) * STEP_S]
    const within = samples.filter(({ x }) => -x >= from && -x < to)
    const sum = (way: 'up' | 'down') => within.reduce((total, sample) => total + sample[way], 0)
    const text = (way: 'up' | 'down') => (within.length === 0 ? '–' : bytesText(sum(way)))
    return [`${from} to ${to}`, text('up'), text('down')]
  })
}
