'use client'

import { useMemo, useState } from 'react'
import { strings } from '@/lib/strings/inspector.ts'
import { strings as latencyStrings } from '@/lib/strings/latency-figures.ts'
import { Chart } from '@/components/charts/chart'
import { bytesText } from '@/components/latency/words'
import { Choice } from './choice'
import { linesOf, type Seen } from './seen'
import { SPAN_S, Traffic, ways, type Way } from './traffic.ts'

/** A row of the table stands for so many seconds. */
const STEP_S = 15

interface Point {
  readonly x: number
  readonly y: number
}

/** What goes over the links of all windows of this person, side by side. */
export function TrafficChart({ seen }: { seen: readonly Seen[] }) {
  const [way, setWay] = useState<Way>('up')
  const [traffic] = useState(() => new Traffic(() => performance.now()))
  const lines = useMemo(
    () =>
      seen
        .flatMap((one) => linesOf(one, traffic.of(one)))
        .map(({ name, points }) => ({
          name,
          points: points.map((rate) => ({ x: -Math.round(rate.ago / 1000), y: rate[way] })),
        })),
    [seen, traffic, way],
  )
  return (
    <Chart
      title={strings.traffic.title}
      sentence={strings.traffic.sentence(latencyStrings.rest.framesAlone)}
      empty={strings.traffic.empty}
      kind="lines"
      lines={lines}
      figures={{ head: [strings.time.secondsAgo, ...lines.map(({ name }) => name)], rows: rowsOf(lines) }}
      xRange={[-SPAN_S, 0]}
      xMarks={[-120, -90, -60, -30, 0]}
      xText={strings.time.mark}
      yText={bytesText}
    >
      <Choice
        name={strings.traffic.direction}
        value={way}
        choices={ways.map((one) => [one, strings.traffic[one]])}
        onChange={setWay}
      />
    </Chart>
  )
}

function rowsOf(lines: readonly { readonly points: readonly Point[] }[]): readonly string[][] {
  return Array.from({ length: SPAN_S / STEP_S }, (_, index) => {
    const [from, to] = [index * STEP_S, (index + 1) * STEP_S]
    const within = ({ x }: Point): boolean => -x >= from && -x < to
    return [strings.time.span(from, to), ...lines.map(({ points }) => meanText(points.filter(within)))]
  })
}

function meanText(points: readonly Point[]): string {
  if (points.length === 0) return '–'
  return bytesText(points.reduce((sum, { y }) => sum + y, 0) / points.length)
}
