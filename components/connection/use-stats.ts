'use client'

import { useEffect } from 'react'
import type { OpenDocument, LinkStats } from '@/lib/client.ts'
import type { StableSyncStatus } from '@/lib/sync/status.ts'
import { useNow } from './use-now'

/** Read anew with every change of status, and once a second for the round trip: of each link, once somebody looks. */
export function useStats(opened: OpenDocument, { link }: StableSyncStatus): LinkStats {
  useNow()
  useEffect(() => {
    if (link.state === 'up') opened.measureRoundTrip()
  }, [opened, link])
  return opened.stats()
}
