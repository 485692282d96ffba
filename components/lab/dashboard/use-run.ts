'use client'

import { useCallback, useRef, useState } from 'react'
import { CHARTS } from '@/lib/protocol/lab.ts'
import type { AskFigure } from './ways'

/** One drawing of all charts. */
export interface Run {
  readonly id: number
  readonly seed: number
  readonly ask: AskFigure
  /** By which way, in words. */
  readonly name: string
}

export interface Result {
  readonly run: number
  readonly name: string
  readonly seed: number
  /** From the click until the frame after the last chart had its figures. */
  readonly ms: number
  readonly failed: number
}

export interface Drawing {
  readonly run: Run | null
  readonly results: readonly Result[]
  /** Of this run, drawn or failed. */
  readonly settled: number
  readonly busy: boolean
  readonly start: (wanted: Omit<Run, 'id'>) => void
  readonly cancel: () => void
  readonly settle: (run: number, chart: number, failed: boolean) => void
}

interface Tally {
  readonly startedAt: number
  readonly charts: Map<number, boolean>
}

/** Counts the charts of one run, and takes the time when the last is there. */
export function useRun(): Drawing {
  const [run, setRun] = useState<Run | null>(null)
  const [results, setResults] = useState<readonly Result[]>([])
  const [settled, setSettled] = useState(0)
  const tally = useRef<Tally>({ startedAt: 0, charts: new Map() })
  const start = useCallback((wanted: Omit<Run, 'id'>) => {
    tally.current = { startedAt: performance.now(), charts: new Map() }
    setSettled(0)
    setRun((before) => ({ ...wanted, id: (before?.id ?? 0) + 1 }))
  }, [])
  const settle = (id: number, chart: number, failed: boolean) => {
    const { charts, startedAt } = tally.current
    if (run?.id !== id || charts.has(chart)) return
    charts.set(chart, failed)
    setSettled(charts.size)
    if (charts.size < CHARTS) return
    const lost = [...charts.values()].filter(Boolean).length
    const { name, seed } = run
    const ms = performance.now() - startedAt
    setResults((before) => [...before, { run: id, name, seed, ms, failed: lost }])
  }
  const busy = run !== null && settled < CHARTS
  return { run, results, settled, busy, start, settle, cancel: () => setRun(null) }
}
