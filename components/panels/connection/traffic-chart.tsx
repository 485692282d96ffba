'use client'

import { useMemo, useState } from 'react'
import { inspectorStrings } from '@/lib/strings/inspector.ts'
import { latencyFiguresStrings } from '@/lib/strings/latency-figures.ts'
import { Chart } from '@/components/charts/chart.tsx'
import { bytesText } from '@/components/latency/latency-text.ts'
import { SelectField } from '@/components/ui/select-field.tsx'
import { measuredLinesOf, type MeasuredWindow } from './measured-windows.ts'
import { SPAN_S, TrafficRates, trafficDirections, type TrafficDirection } from './traffic-rates.ts'

/** The seconds that one row of the table covers. */
const STEP_S = 15

interface RatePoint {
  readonly x: number
  readonly y: number
}

/** Compares the traffic of all windows of this person. */
export function TrafficChart({ measuredWindows }: { measuredWindows: readonly MeasuredWindow[] }) {
  const [direction, setDirection] = useState<TrafficDirection>('up')
  const [traffic] = useState(() => new TrafficRates(() => performance.now()))
  const lines = useMemo(
    () =>
      measuredWindows
        .flatMap((one) => measuredLinesOf(one, traffic.ratesOf(one)))
        .map(({ name, points }) => ({
          name,
          points: points.map((rate) => ({ x: -Math.round(rate.ago / 1000), y: rate[direction] })),
        })),
    [measuredWindows, traffic, direction],
  )
  return (
    <Chart
      title={inspectorStrings.traffic.title}
      sentence={inspectorStrings.traffic.sentence(latencyFiguresStrings.queueAndTraffic.framesAlone)}
      empty={inspectorStrings.traffic.empty}
      kind="lines"
      lines={lines}
      table={{
        head: [inspectorStrings.time.secondsAgo, ...lines.map(({ name }) => name)],
        rows: rowsOf(lines),
      }}
      xRange={[-SPAN_S, 0]}
      xMarks={[-120, -90, -60, -30, 0]}
      xText={inspectorStrings.time.mark}
      yText={bytesText}
    >
      <SelectField
        label={inspectorStrings.traffic.direction}
        value={direction}
        choices={trafficDirections.map((one) => [one, inspectorStrings.traffic[one]])}
        onChange={setDirection}
      />
    </Chart>
  )
}

function rowsOf(lines: readonly { readonly points: readonly RatePoint[] }[]): readonly string[][] {
  return Array.from({ length: SPAN_S / STEP_S }, (_, index) => {
    const [from, to] = [index * STEP_S, (index + 1) * STEP_S]
    const within = ({ x }: RatePoint): boolean => -x >= from && -x < to
    return [
      inspectorStrings.time.span(from, to),
      ...lines.map(({ points }) => meanText(points.filter(within))),
    ]
  })
}

function meanText(points: readonly RatePoint[]): string {
  if (points.length === 0) return '–'
  return bytesText(points.reduce((sum, { y }) => sum + y, 0) / points.length)
}
