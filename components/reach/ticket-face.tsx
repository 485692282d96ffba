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
import { strings as common } from '@/lib/strings/common.ts'
import { strings } from '@/lib/strings/devices.ts'

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
  if (!error) return <Named title={strings.checking.title}>{strings.checking.hint}</Named>
  const again = (
    <Button look="primary" onClick={() => void refetch()} disabled={isRefetching}>
      {common.tryAgain}
    </Button>
  )
  return (
    <Named title={strings.checking.failed} actions={again}>
      {strings.checking.failedHint(error.message)}
    </Named>
  )
}
