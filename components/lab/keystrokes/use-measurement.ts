'use client'

import { useEffect, useRef, useState } from 'react'
import { rememberedTransport } from '@/components/connection/remembered-transport.ts'
import { currentResultEnvironment } from '../results/result-environment.ts'
import {
  measureLanes,
  type MeasurementPlan,
  type MeasurementProgress,
  type MeasurementClock,
} from './measure-lanes.ts'
import type { KeystrokesResult } from './keystrokes-result.ts'
import { switchAllWindows, type LabContext, createWindowsUnderTest } from './windows-under-test.ts'

const browserClock: MeasurementClock = {
  now: () => performance.timeOrigin + performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        signal.removeEventListener('abort', onAbort)
        resolve()
      }, ms)
      function onAbort(): void {
        clearTimeout(timer)
        reject(signal.reason as Error)
      }
      signal.addEventListener('abort', onAbort, { once: true })
    }),
}

export interface Measurement {
  readonly progress: MeasurementProgress | null
  readonly problem: string | null
  readonly isCancelled: boolean
  readonly start: (plan: MeasurementPlan) => void
  readonly cancel: () => void
}

/** Runs one measurement at a time, which ends with the page. Afterwards all windows go back to the transport that this browser prefers. */
export function useMeasurement(
  context: LabContext,
  onResult: (result: KeystrokesResult) => void,
): Measurement {
  const [progress, setProgress] = useState<MeasurementProgress | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [isCancelled, setCancelled] = useState(false)
  const abortController = useRef<AbortController | null>(null)
  useEffect(() => () => abortController.current?.abort(), [])

  async function runMeasurement(plan: MeasurementPlan, { signal }: AbortController): Promise<void> {
    try {
      const lanes = await measureLanes(
        plan,
        createWindowsUnderTest(context),
        browserClock,
        setProgress,
        signal,
      )
      const { edits, intervalMs } = plan
      onResult({ ...currentResultEnvironment(), edits, intervalMs, lanes })
    } catch (error) {
      if (signal.aborted) setCancelled(true)
      else setProblem(error instanceof Error ? error.message : String(error))
    } finally {
      abortController.current = null
      setProgress(null)
      await switchAllWindows(context, rememberedTransport()).catch(() => {})
    }
  }

  return {
    progress,
    problem,
    isCancelled,
    start(plan) {
      if (abortController.current) return
      abortController.current = new AbortController()
      setProblem(null)
      setCancelled(false)
      void runMeasurement(plan, abortController.current)
    },
    cancel: () => abortController.current?.abort(new Error('Cancelled.')),
  }
}
