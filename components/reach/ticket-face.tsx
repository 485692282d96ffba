'use client'

import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api } from '@/components/api'
import { useMe } from '@/components/documents/queries'
import { Button } from '@/components/ui/button'
import { takeFromAddress } from './arrival'
import { GoOnAs } from './go-on-as'
import { Named } from './named-face'
import { isWorthless, Worthless } from './worthless'

interface TicketFaceProps {
  readonly ticket: string
  /** The page opens as who this device was before. */
  readonly onDone: () => void
}

/** Says whom a ticket would sign in, before it does. */
export default function TicketFace({ ticket, onDone }: TicketFaceProps) {
  const me = useMe().data
  const { data, error, refetch, isRefetching } = useQuery({
    queryKey: ['ticket', ticket],
    queryFn: () => api.lookAtTicket(ticket),
    retry: false,
    staleTime: Infinity,
    gcTime: 0,
  })
  // Next's router writes the address back that it was loaded with; from here on it hears of changes.
  useEffect(takeFromAddress, [])
  const isAlready = data !== undefined && data.id === me?.id
  useEffect(() => {
    if (isAlready) onDone()
  }, [isAlready, onDone])
  if (data && me && !isAlready) return <GoOnAs person={data} me={me} ticket={ticket} onStay={onDone} />
  if (isWorthless(error)) return <Worthless me={me} onStay={onDone} />
  if (!error) return <Named title="One moment">The code is being checked.</Named>
  const again = (
    <Button look="primary" onClick={() => void refetch()} disabled={isRefetching}>
      Try again
    </Button>
  )
  return (
    <Named title="The code could not be checked" actions={again}>
      {error.message} It is good for a minute from when it was made.
    </Named>
  )
}
