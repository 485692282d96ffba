import { useMemo } from 'react'
import { inspectorStrings } from '@/lib/strings/inspector.ts'
import { Chart } from '@/components/charts/chart.tsx'
import { msMark, msText } from '@/components/latency/latency-text.ts'
import { measuredLinesOf, type MeasuredWindow } from './measured-windows.ts'

const SPAN_S = 120

/** The seconds that one row of the table covers. */
const STEP_S = 15

const tableRows = Array.from({ length: SPAN_S / STEP_S }, (_, index) => (index + 1) * STEP_S)

/** Compares the round trips of all windows of this person on one axis: it shows the effect of another transport or network. */
export function RoundTripChart({ measuredWindows }: { measuredWindows: readonly MeasuredWindow[] }) {
  const lines = useMemo(() => {
    const now = Math.max(
      0,
      ...measuredWindows.flatMap(({ summary }) => summary.roundTrip.history.at(-1)?.at ?? []),
    )
    return measuredWindows
      .flatMap((one) => measuredLinesOf(one, one.summary.roundTrip.history))
      .map(({ name, points }) => ({
        name,
        points: points
          .map(({ at, ms }) => ({ x: Math.round((at - now) / 1000), y: ms }))
          .filter(({ x }) => x >= -SPAN_S),
      }))
  }, [measuredWindows])
  const figures = {
    head: [inspectorStrings.time.secondsAgo, ...lines.map(({ name }) => name)],
    rows: tableRows.map((to) => [
      inspectorStrings.time.span(to - STEP_S, to),
      ...lines.map(({ points }) => latest(points.filter(({ x }) => -x < to && -x >= to - STEP_S))),
    ]),
  }
  return (
    <Chart
      title={inspectorStrings.roundTrips.title}
      sentence={inspectorStrings.roundTrips.sentence}
      empty={inspectorStrings.roundTrips.empty}
      kind="lines"
      lines={lines}
      table={figures}
      xRange={[-SPAN_S, 0]}
      xMarks={[-120, -90, -60, -30, 0]}
      xText={inspectorStrings.time.mark}
      yText={msMark}
    />
  )
}

function latest(points: readonly { readonly y: number }[]): string {
  const last = points.at(-1)
  return last ? msText(last.y) : '–'
}
