'use client'

import { useState } from 'react'
import { useMe } from '@/components/documents/queries'
import { Late } from '@/components/ui/late'
import { useArrival } from './arrival'

const load = () => import('./join-card')

/** Asks somebody who comes by a link for the first time how they want to be called. Once for each guest, on whichever device. */
export function JoinOffer({ document }: { document: string }) {
  const arrival = useArrival(document)
  const { data: me, isPlaceholderData } = useMe()
  const [isOver, setOver] = useState(false)
  const isAsked = arrival && arrival.role !== 'owner' && me && !isPlaceholderData && !me.asked
  if (!isAsked || isOver) return null
  const close = () => setOver(true)
  return <Late load={load} props={{ arrival, me, onClose: close }} onMissing={close} />
}
