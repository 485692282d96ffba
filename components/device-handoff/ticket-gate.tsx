'use client'

import dynamic from 'next/dynamic'
import { useEffect, useSyncExternalStore, type ReactNode } from 'react'
import { currentTicket, forgetTicket, subscribeToTicket } from './ticket-in-address.ts'
import { reloadOnPersonChange } from './reload-on-person-change.ts'

const TicketView = dynamic(() => import('./ticket-view.tsx'), { ssr: false })

const noTicket = () => null

/** Wraps every page and first asks a person who came by another device's code. Opening an address signs nobody in. */
export function TicketGate({ children }: { children: ReactNode }) {
  const ticket = useSyncExternalStore(subscribeToTicket, currentTicket, noTicket)
  useEffect(reloadOnPersonChange, [])
  if (ticket === null) return children
  return <TicketView key={ticket} ticket={ticket} onDone={forgetTicket} />
}
