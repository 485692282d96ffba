'use client'

import { useState } from 'react'
import { useOwnProfile } from './own-profile.ts'
import { LazyComponent } from '@/components/ui/lazy-component.tsx'
import { useRedeemedLink } from './redeemed-link.ts'

const loadCard = () => import('./join-card.tsx')

/** Asks a person who comes by a link for the first time what name they want. Once for each guest, on all devices together. */
export function JoinOffer({ document }: { document: string }) {
  const redeemedLink = useRedeemedLink(document)
  const { profile: me, state } = useOwnProfile()
  const [isClosed, setIsClosed] = useState(false)
  const shouldAsk = redeemedLink && redeemedLink.role !== 'owner' && me && state === 'known' && !me.asked
  if (!shouldAsk || isClosed) return null
  const close = () => setIsClosed(true)
  return <LazyComponent load={loadCard} props={{ redeemedLink, me, onClose: close }} onLoadFailed={close} />
}
