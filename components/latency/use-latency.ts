'use client'

import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import type { OpenDocument } from '@/lib/client.ts'
import type { Latency, LatencyState, Scope } from '@/lib/latency/state.ts'
import { sayNotLoaded } from '@/components/ui/toast'

export interface Measured {
  readonly latency: Latency
  readonly state: LatencyState
}

/** Delays are measured from here on, as long as this is on screen. Null until what measures them is loaded. */
export function useLatency({ opened }: OpenDocument, scope: Scope): Measured | null {
  const [latency, setLatency] = useState<Latency | null>(null)
  useEffect(() => {
    let stop: (() => void) | undefined
    let isGone = false
    const start = async () => {
      const { latencyOf } = await import('@/lib/latency/latency.ts')
      if (isGone) return
      const found = latencyOf(opened)
      stop = found.look(scope)
      setLatency(found)
    }
    start().catch(sayNotLoaded)
    return () => {
      isGone = true
      stop?.()
    }
  }, [opened, scope])
  const subscribe = useCallback(
    (listener: () => void) => latency?.subscribe(listener) ?? (() => {}),
    [latency],
  )
  const state = useSyncExternalStore(subscribe, () => latency?.get() ?? null)
  return useMemo(() => latency && state && { latency, state }, [latency, state])
}
