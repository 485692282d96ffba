'use client'

import dynamic from 'next/dynamic'
import { useEffect, useSyncExternalStore, type ReactNode } from 'react'
import { arrivedTicket, forgetArrival, subscribeToArrival } from './arrival'
import { reloadWhenSomebodyElse } from './somebody-else'

const TicketFace = dynamic(() => import('./ticket-face'), { ssr: false })

const none = () => null

/** Around every page: whoever came by a code of another device is asked first. Nobody is signed in by opening an address. */
export function TicketGate({ children }: { children: ReactNode }) {
  const ticket = useSyncExternalStore(subscribeToArrival, arrivedTicket, none)
  useEffect(reloadWhenSomebodyElse, [])
  if (ticket === null) return children
  return <TicketFace key={ticket} ticket={ticket} onDone={forgetArrival} />
}
