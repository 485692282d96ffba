'use client'

import { useRef, useState } from 'react'
import { CHART_COUNT } from '@/lib/protocol/lab.ts'
import { currentResultEnvironment } from '../results/result-environment.ts'
import { type DashboardResult, type FigureMethod, appendDrawing } from './dashboard-result.ts'
import type { RequestFigure } from './figure-methods.ts'

/** One drawing of all charts. */
export interface DashboardRun {
  readonly id: number
  readonly seed: number
  readonly requestFigure: RequestFigure
  /** Called once all are drawn: a page that came from a cache learns the protocol from its own requests. */
  readonly describeMethod: () => FigureMethod
}

/** How the last run ended. */
export type DashboardRunEnd =
  { readonly as: 'drawn' | 'cancelled' } | { readonly as: 'failed'; readonly reason: string }

export interface DashboardRunState {
  readonly run: DashboardRun | null
  /** All drawings of this visit. */
  readonly result: DashboardResult | null
  /** How many charts of this run are drawn or failed. */
  readonly settledCount: number
  readonly isBusy: boolean
  /** Null before the first run and during one. */
  readonly end: DashboardRunEnd | null
  readonly start: (options: Omit<DashboardRun, 'id'>) => void
  readonly cancel: () => void
  /** @param problem Why the chart was not drawn. */
  readonly settleChart: (run: number, chart: number, problem: string | null) => void
}

interface RunTally {
  readonly startedAt: number
  /** Each settled chart, and what went wrong with it. */
  readonly charts: Map<number, string | null>
}

/** Counts the settled charts of one run, and takes the time at the last one. */
export function useDashboardRun(): DashboardRunState {
  const [run, setRun] = useState<DashboardRun | null>(null)
  const [result, setResult] = useState<DashboardResult | null>(null)
  const [settledCount, setSettledCount] = useState(0)
  const [end, setEnd] = useState<DashboardRunEnd | null>(null)
  const runCount = useRef(0)
  const tally = useRef<RunTally>({ startedAt: 0, charts: new Map() })
  const start = (options: Omit<DashboardRun, 'id'>) => {
    tally.current = { startedAt: performance.now(), charts: new Map() }
    setSettledCount(0)
    setEnd(null)
    setRun({ ...options, id: (runCount.current += 1) })
  }
  const stop = (as: DashboardRunEnd) => {
    setRun(null)
    setEnd(as)
  }
  const settleChart = (id: number, chart: number, problem: string | null) => {
    const { charts, startedAt } = tally.current
    if (run?.id !== id || charts.has(chart)) return
    charts.set(chart, problem)
    setSettledCount(charts.size)
    if (charts.size < CHART_COUNT) return
    const ms = performance.now() - startedAt
    const problems = [...charts.values()].filter((one) => one !== null)
    // If nothing was drawn, the time means nothing.
    if (problems.length === CHART_COUNT) return stop({ as: 'failed', reason: problems[0]! })
    setEnd({ as: 'drawn' })
    const drawing = { ...run.describeMethod(), seed: run.seed, ms, failed: problems.length }
    setResult((before) => ({
      ...currentResultEnvironment(),
      drawings: appendDrawing(before?.drawings ?? [], drawing),
    }))
  }
  const cancel = () => stop({ as: 'cancelled' })
  return { run, result, settledCount, isBusy: run !== null && end === null, end, start, settleChart, cancel }
}
