'use client'

import { useEffect, useRef, useState } from 'react'
import { rememberedChoice } from '@/components/connection/choice'
import { surroundings } from '../results/surroundings'
import { measure, type Plan, type Progress, type Time } from './measure'
import type { LabResult } from './result'
import { goOver, type Scene, subjectOf } from './subject'

const realTime: Time = {
  now: () => performance.timeOrigin + performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        signal.removeEventListener('abort', giveUp)
        resolve()
      }, ms)
      function giveUp(): void {
        clearTimeout(timer)
        reject(signal.reason as Error)
      }
      signal.addEventListener('abort', giveUp, { once: true })
    }),
}

export interface Measurement {
  readonly progress: Progress | null
  readonly problem: string | null
  readonly isCancelled: boolean
  readonly start: (plan: Plan) => void
  readonly cancel: () => void
}

/** One at a time; ends with the page. Afterwards all windows go back to what this browser prefers. */
export function useMeasurement(scene: Scene, onResult: (result: LabResult) => void): Measurement {
  const [progress, setProgress] = useState<Progress | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [isCancelled, setCancelled] = useState(false)
  const abort = useRef<AbortController | null>(null)
  useEffect(() => () => abort.current?.abort(), [])

  async function run(plan: Plan, { signal }: AbortController): Promise<void> {
    try {
      const lanes = await measure(plan, subjectOf(scene), realTime, setProgress, signal)
      const { edits, intervalMs } = plan
      onResult({ ...surroundings(), edits, intervalMs, lanes })
    } catch (error) {
      if (signal.aborted) setCancelled(true)
      else setProblem(error instanceof Error ? error.message : String(error))
    } finally {
      abort.current = null
      setProgress(null)
      await goOver(scene, rememberedChoice()).catch(() => {})
    }
  }

  return {
    progress,
    problem,
    isCancelled,
    start(plan) {
      if (abort.current) return
      abort.current = new AbortController()
      setProblem(null)
      setCancelled(false)
      void run(plan, abort.current)
    },
    cancel: () => abort.current?.abort(new Error('Cancelled.')),
  }
}
