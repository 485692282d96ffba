'use client'

import { useRef, useState } from 'react'
import { CHART_COUNT } from '@/lib/protocol/lab.ts'
import { surroundings } from '../results/surroundings'
import { type DashboardResult, type WayUsed, withDrawn } from './result'
import type { AskFigure } from './ways'

/** One drawing of all charts. */
export interface Run {
  readonly id: number
  readonly seed: number
  readonly ask: AskFigure
  /** Asked once all are drawn: a page that came out of a store learns by its own requests what they go by. */
  readonly by: () => WayUsed
}

/** How the last run ended. */
export type End = { readonly as: 'drawn' | 'cancelled' } | { readonly as: 'failed'; readonly reason: string }

export interface Drawing {
  readonly run: Run | null
  /** All that were drawn on this visit. */
  readonly result: DashboardResult | null
  /** Of this run, drawn or failed. */
  readonly settled: number
  readonly busy: boolean
  /** Null before the first, and while one goes on. */
  readonly end: End | null
  readonly start: (wanted: Omit<Run, 'id'>) => void
  readonly cancel: () => void
  /** @param problem Why the chart was not drawn. */
  readonly settle: (run: number, chart: number, problem: string | null) => void
}

interface Tally {
  readonly startedAt: number
  /** Each chart that is settled, and what went wrong. */
  readonly charts: Map<number, string | null>
}

/** Counts the charts of one run, and takes the time when the last is there. */
export function useRun(): Drawing {
  const [run, setRun] = useState<Run | null>(null)
  const [result, setResult] = useState<DashboardResult | null>(null)
  const [settled, setSettled] = useState(0)
  const [end, setEnd] = useState<End | null>(null)
  const runs = useRef(0)
  const tally = useRef<Tally>({ startedAt: 0, charts: new Map() })
  const start = (wanted: Omit<Run, 'id'>) => {
    tally.current = { startedAt: performance.now(), charts: new Map() }
    setSettled(0)
    setEnd(null)
    setRun({ ...wanted, id: (runs.current += 1) })
  }
  const stop = (as: End) => {
    setRun(null)
    setEnd(as)
  }
  const settle = (id: number, chart: number, problem: string | null) => {
    const { charts, startedAt } = tally.current
    if (run?.id !== id || charts.has(chart)) return
    charts.set(chart, problem)
    setSettled(charts.size)
    if (charts.size < CHART_COUNT) return
    const ms = performance.now() - startedAt
    const problems = [...charts.values()].filter((one) => one !== null)
    // A time until nothing was drawn says nothing.
    if (problems.length === CHART_COUNT) return stop({ as: 'failed', reason: problems[0]! })
    setEnd({ as: 'drawn' })
    const drawn = { ...run.by(), seed: run.seed, ms, failed: problems.length }
    setResult((before) => ({ ...surroundings(), drawings: withDrawn(before?.drawings ?? [], drawn) }))
  }
  const cancel = () => stop({ as: 'cancelled' })
  return { run, result, settled, busy: run !== null && end === null, end, start, settle, cancel }
}
