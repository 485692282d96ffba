'use client'

import { useMemo } from 'react'
import { Chart } from '@/components/charts/chart.tsx'
import { ADMIN_SAMPLE_INTERVAL_MS, type AdminSample, MAX_ADMIN_SAMPLES } from '@/lib/protocol/admin.ts'
import { adminStrings } from '@/lib/strings/admin.ts'
import { createAdminCharts } from './admin-charts.ts'

const SPAN_S = (ADMIN_SAMPLE_INTERVAL_MS * MAX_ADMIN_SAMPLES) / 1000
/** Seconds before now. */
const xMarks = [-SPAN_S, -600, -300, 0]

/** A mark is a whole number of minutes; what the pointer is over has seconds, too. */
function timeText(x: number): string {
  if (x === 0) return adminStrings.atPresent
  const [minutes, seconds] = [Math.floor(-x / 60), Math.round(-x % 60)]
  if (xMarks.includes(x)) return adminStrings.minutesAgo(minutes)
  return adminStrings.ago(minutes, String(seconds).padStart(2, '0'))
}

export function FigureCharts({ samples }: { samples: readonly AdminSample[] }) {
  const charts = useMemo(() => createAdminCharts(samples), [samples])
  return (
    <div className="grid gap-x-8 gap-y-8 lg:grid-cols-2">
      {charts.map(({ id, ...chart }) => (
        <Chart
          key={id}
          {...chart}
          {...adminStrings.charts[id]}
          kind="lines"
          xText={timeText}
          xRange={[-SPAN_S, 0]}
          xMarks={xMarks}
        />
      ))}
    </div>
  )
}
