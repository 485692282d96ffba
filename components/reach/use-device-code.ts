'use client'

import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api, type DeviceTicket } from '@/components/api'
import { isWorthless } from './worthless'

/** How often it is asked whether somebody has used the code, in ms. */
const LOOK_MS = 1500

export type DeviceCode =
  | { readonly state: 'none' | 'making' }
  | { readonly state: 'ready'; readonly made: DeviceTicket; readonly secondsLeft: number }
  /** A device was signed in by it: by whoever scanned it. */
  | { readonly state: 'used' }
  | { readonly state: 'expired' }
  | { readonly state: 'failed'; readonly message: string }

/** A code for a further device. It is made when asked for: one that nobody needs is one that a stranger may photograph. */
export function useDeviceCode(): [DeviceCode, make: () => void] {
  const make = useMutation({ mutationFn: makeNow, retry: false })
  const made = make.data
  const secondsLeft = useSecondsUntil(made?.until)
  const look = useQuery({
    queryKey: ['device-code', made?.ticket],
    queryFn: () => isUnused(made?.ticket ?? ''),
    enabled: made !== undefined && secondsLeft > 0,
    refetchInterval: ({ state }) => (state.data === false ? false : LOOK_MS),
    gcTime: 0,
  })
  return [codeOf(), () => make.mutate()]

  function codeOf(): DeviceCode {
    if (make.isPending) return { state: 'making' }
    if (make.error) return { state: 'failed', message: make.error.message }
    if (!made) return { state: 'none' }
    if (look.data === false) return { state: 'used' }
    return secondsLeft > 0 ? { state: 'ready', made, secondsLeft } : { state: 'expired' }
  }
}

/** By this page's own time: the device's clock may be wrong by an hour. */
async function makeNow(): Promise<DeviceTicket & { until: number }> {
  const made = await api.makeTicket()
  return { ...made, until: performance.now() + made.expiresInMs }
}

async function isUnused(ticket: string): Promise<boolean> {
  try {
    await api.lookAtTicket(ticket)
    return true
  } catch (error) {
    if (isWorthless(error)) return false
    throw error
  }
}

/** Whole seconds, counted down while the page renders; 0 where there is nothing to wait for. */
function useSecondsUntil(until: number | undefined): number {
  const [now, setNow] = useState(() => performance.now())
  useEffect(() => {
    if (until === undefined) return
    const tick = () => {
      setNow(performance.now())
      if (performance.now() >= until) clearInterval(timer)
    }
    const timer = setInterval(tick, 1000)
    tick()
    return () => clearInterval(timer)
  }, [until])
  return until === undefined ? 0 : Math.max(0, Math.ceil((until - now) / 1000))
}
