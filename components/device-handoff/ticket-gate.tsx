'use client'

import dynamic from 'next/dynamic'
import { useEffect, type ReactNode } from 'react'
import { MessagePage } from '@/components/ui/message-page.tsx'
import { forgetTicket, useTicket } from './ticket-in-address.ts'
import { reloadOnPersonChange } from './reload-on-person-change.ts'
import { ticketStrings } from '@/lib/strings/ticket.ts'

/** The message page is in the first script of every page with it: else the page's two error pages would have a copy each. */
const TicketView = dynamic(() => import('./ticket-view.tsx'), {
  ssr: false,
  loading: () => (
    <MessagePage title={ticketStrings.title} hasHomeLink={false}>
      {ticketStrings.hint}
    </MessagePage>
  ),
})

/** Wraps every page and first asks a person who came by another device's code. Opening an address signs nobody in. */
export function TicketGate({ children }: { children: ReactNode }) {
  const { ticket } = useTicket()
  useEffect(reloadOnPersonChange, [])
  if (ticket === null) return children
  return <TicketView key={ticket} ticket={ticket} onDone={forgetTicket} />
}
