'use client'

import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { queryClient } from '@/components/query-client.ts'
import type { Figure, FigureUnit } from '@/lib/protocol/lab.ts'
import { labStrings } from '@/lib/strings/lab.ts'
import type { DashboardRun } from './use-dashboard-run.ts'

interface FigureChartProps {
  readonly run: DashboardRun
  readonly chart: number
  /** The figures are requested again as soon as they have arrived. */
  readonly isLive: boolean
  /** Gets the reason if there are no figures. */
  readonly onSettled: (chart: number, problem: string | null) => void
}

/** One chart, from the request to the drawing. */
export function FigureChart({ run, chart, isLive, onSettled }: FigureChartProps) {
  const { data, error } = useQuery(
    {
      queryKey: ['lab', 'figure', run.id, chart],
      queryFn: ({ signal }) => run.requestFigure({ chart, seed: run.seed }, signal),
      retry: false,
      staleTime: Infinity,
      gcTime: 0,
      refetchInterval: isLive ? 1 : false,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
    },
    queryClient,
  )
  const reportSettled = useEffectEvent(onSettled)
  const hasData = data !== undefined
  const problem = error?.message ?? null
  useEffect(
    () => (hasData || problem !== null ? afterFrame(() => reportSettled(chart, problem)) : undefined),
    [chart, hasData, problem],
  )
  return (
    <li className="flex min-h-28 min-w-0 flex-col rounded-xl border border-line bg-raised px-3 py-2.5">
      {data && <FigureView figure={data} />}
      {error && !data && <p className="text-sm text-danger">{labStrings.charts.failed(error.message)}</p>}
      {!data && !error && <p className="m-auto text-sm text-muted">{labStrings.charts.waiting}</p>}
    </li>
  )
}

/** Runs the callback after the next frame. A hidden page draws no frames: there it runs when a frame could have been drawn. */
function afterFrame(callback: () => void): () => void {
  if (document.visibilityState === 'hidden') {
    const timer = setTimeout(callback)
    return () => clearTimeout(timer)
  }
  let timer: ReturnType<typeof setTimeout> | undefined
  const frame = requestAnimationFrame(() => {
    timer = setTimeout(callback)
  })
  return () => {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
  }
}

function FigureView({ figure: { name, unit, values } }: { figure: Figure }) {
  const latest = values.at(-1) ?? 0
  return (
    <>
      <h3 className="truncate text-xs text-muted">{name}</h3>
      <p className="text-sm font-medium tabular-nums">{figureText(latest, unit)}</p>
      <FigureLine values={values} />
      <p className="sr-only">
        {labStrings.charts.range(
          figureText(Math.min(...values), unit),
          figureText(Math.max(...values), unit),
        )}
      </p>
    </>
  )
}

const WIDTH = 120
const HEIGHT = 36

function FigureLine({ values }: { values: readonly number[] }) {
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const span = high - low || 1
  const step = WIDTH / Math.max(1, values.length - 1)
  const points = values.map((value, index) => {
    const y = high === low ? HEIGHT / 2 : HEIGHT - 2 - ((value - low) / span) * (HEIGHT - 4)
    return `${(index * step).toFixed(1)},${y.toFixed(1)}`
  })
  return (
    <svg
      aria-hidden
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      className="mt-auto h-9 w-full text-accent"
    >
      <polyline
        points={points.join(' ')}
        fill="none"
        stroke="currentColor"
        strokeWidth={1.5}
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  )
}

function figureText(value: number, unit: FigureUnit): string {
  switch (unit) {
    case 'bytes':
      return value < 1024 * 1024
        ? labStrings.charts.kibibytes((value / 1024).toFixed(0))
        : labStrings.charts.mebibytes((value / 1024 / 1024).toFixed(1))
    case 'percent':
      return labStrings.charts.percent(value.toFixed(1))
    case 'per second':
      return labStrings.charts.perSecond(value.toFixed(value < 10 ? 1 : 0))
    case 'ms':
      return labStrings.charts.ms(value.toFixed(1))
    case 'count':
      return value.toLocaleString(undefined, { maximumFractionDigits: 2 })
  }
}
