'use client'

import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import type { OpenDocument } from '@/lib/client.ts'
import type { Latency, LatencyState, LatencyScope } from '@/lib/latency/latency-state.ts'
import { toastNotLoaded } from '@/components/ui/toast.ts'

export interface LatencyMeasurement {
  readonly latency: Latency
  readonly state: LatencyState
}

/** Measures delays while the component is on screen. Null until the measuring code is loaded. */
export function useLatency({ handle }: OpenDocument, scope: LatencyScope): LatencyMeasurement | null {
  const [latency, setLatency] = useState<Latency | null>(null)
  useEffect(() => {
    let stop: (() => void) | undefined
    let isGone = false
    const start = async () => {
      const { latencyOf } = await import('@/lib/latency/latency.ts')
      if (isGone) return
      const started = latencyOf(handle)
      stop = started.observe(scope)
      setLatency(started)
    }
    start().catch(toastNotLoaded)
    return () => {
      isGone = true
      stop?.()
    }
  }, [handle, scope])
  const subscribe = useCallback(
    (listener: () => void) => latency?.subscribe(listener) ?? (() => {}),
    [latency],
  )
  const state = useSyncExternalStore(subscribe, () => latency?.get() ?? null)
  return useMemo(() => latency && state && { latency, state }, [latency, state])
}
