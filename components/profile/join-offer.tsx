'use client'

import { useState } from 'react'
import { useOwnProfile } from '@/components/documents/document-queries'
import { LazyComponent } from '@/components/ui/lazy-component'
import { useRedeemedLink } from './redeemed-link'

const loadCard = () => import('./join-card')

/** Asks somebody who comes by a link for the first time how they want to be called. Once for each guest, on whichever device. */
export function JoinOffer({ document }: { document: string }) {
  const redeemedLink = useRedeemedLink(document)
  const { data: me, isPlaceholderData } = useOwnProfile()
  const [isClosed, setIsClosed] = useState(false)
  const shouldAsk = redeemedLink && redeemedLink.role !== 'owner' && me && !isPlaceholderData && !me.asked
  if (!shouldAsk || isClosed) return null
  const close = () => setIsClosed(true)
  return <LazyComponent load={loadCard} props={{ redeemedLink, me, onClose: close }} onLoadFailed={close} />
}
