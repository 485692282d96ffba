'use client'

import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api, type DeviceTicket } from '@/components/http-api.ts'
import { queryClient } from '@/components/query-client.ts'
import { isInvalidTicket } from './invalid-ticket.tsx'

/** How often the page checks whether somebody has used the code, in ms. */
const CODE_POLL_INTERVAL_MS = 1500

export type DeviceCodeState =
  | { readonly state: 'none' | 'making' }
  | { readonly state: 'ready'; readonly deviceTicket: DeviceTicket; readonly secondsLeft: number }
  /** A device has been signed in by whoever scanned the code. */
  | { readonly state: 'used' }
  | { readonly state: 'expired' }
  | { readonly state: 'failed'; readonly message: string }

/** A code for one more device. It is made on request only: a stranger may photograph a code that nobody needs. */
export function useDeviceCode(): [DeviceCodeState, make: () => void] {
  const creation = useMutation({ mutationFn: createTicket, retry: false }, queryClient)
  const deviceTicket = creation.data
  const secondsLeft = useSecondsUntil(deviceTicket?.until)
  const unusedQuery = useQuery(
    {
      queryKey: ['device-code', deviceTicket?.ticket],
      queryFn: () => isUnused(deviceTicket?.ticket ?? ''),
      enabled: deviceTicket !== undefined && secondsLeft > 0,
      refetchInterval: ({ state }) => (state.data === false ? false : CODE_POLL_INTERVAL_MS),
      gcTime: 0,
    },
    queryClient,
  )
  return [currentState(), () => creation.mutate()]

  function currentState(): DeviceCodeState {
    if (creation.isPending) return { state: 'making' }
    if (creation.error) return { state: 'failed', message: creation.error.message }
    if (!deviceTicket) return { state: 'none' }
    if (unusedQuery.data === false) return { state: 'used' }
    return secondsLeft > 0 ? { state: 'ready', deviceTicket, secondsLeft } : { state: 'expired' }
  }
}

/** Sets the expiry by this page's monotonic clock, because the device's clock may be wrong by an hour. */
async function createTicket(): Promise<DeviceTicket & { until: number }> {
  const created = await api.createDeviceTicket()
  return { ...created, until: performance.now() + created.expiresInMs }
}

async function isUnused(ticket: string): Promise<boolean> {
  try {
    await api.findTicketOwner(ticket)
    return true
  } catch (error) {
    if (isInvalidTicket(error)) return false
    throw error
  }
}

/** Whole seconds, counted down while the page renders; 0 if there is nothing to wait for. */
function useSecondsUntil(expiresAt: number | undefined): number {
  const [now, setNow] = useState(() => performance.now())
  useEffect(() => {
    if (expiresAt === undefined) return
    const tick = () => {
      setNow(performance.now())
      if (performance.now() >= expiresAt) clearInterval(timer)
    }
    const timer = setInterval(tick, 1000)
    tick()
    return () => clearInterval(timer)
  }, [expiresAt])
  return expiresAt === undefined ? 0 : Math.max(0, Math.ceil((expiresAt - now) / 1000))
}
