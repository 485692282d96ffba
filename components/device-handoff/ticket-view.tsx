'use client'

import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api } from '@/components/http-api.ts'
import { useOwnProfile } from '@/components/profile/own-profile.ts'
import { queryClient } from '@/components/query-client.ts'
import { Button } from '@/components/ui/button.tsx'
import { takeTicketFromAddress } from './ticket-in-address.ts'
import { ContinueAs } from './continue-as.tsx'
import { TitledMessagePage } from './titled-message-page.tsx'
import { isInvalidTicket, InvalidTicket } from './invalid-ticket.tsx'
import { commonStrings } from '@/lib/strings/common.ts'
import { ticketStrings } from '@/lib/strings/ticket.ts'

interface TicketViewProps {
  readonly ticket: string
  /** Lets the page open as the person this device had before. */
  readonly onDone: () => void
}

/** Says whom a ticket would sign in, before it does so. */
export default function TicketView({ ticket, onDone }: TicketViewProps) {
  const me = useOwnProfile().profile
  const { data, error, refetch, isRefetching } = useQuery(
    {
      queryKey: ['ticket', ticket],
      queryFn: ({ signal }) => api.findTicketOwner(ticket, signal),
      retry: false,
      staleTime: Infinity,
      gcTime: 0,
    },
    queryClient,
  )
  // Next's router writes the address back that the page was loaded with; later changes reach it.
  useEffect(takeTicketFromAddress, [])
  const isSamePerson = data !== undefined && data.id === me?.id
  useEffect(() => {
    if (isSamePerson) onDone()
  }, [isSamePerson, onDone])
  if (data && me && !isSamePerson) return <ContinueAs person={data} me={me} ticket={ticket} onStay={onDone} />
  if (isInvalidTicket(error)) return <InvalidTicket me={me} onStay={onDone} />
  if (!error) return <TitledMessagePage title={ticketStrings.title}>{ticketStrings.hint}</TitledMessagePage>
  const retryButton = (
    <Button look="primary" onClick={() => void refetch()} disabled={isRefetching}>
      {commonStrings.tryAgain}
    </Button>
  )
  return (
    <TitledMessagePage title={ticketStrings.failed} actions={retryButton}>
      {ticketStrings.failedHint(error.message)}
    </TitledMessagePage>
  )
}
