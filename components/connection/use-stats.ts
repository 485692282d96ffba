'use client'

import { useEffect } from 'react'
import type { OpenDocument, Stats } from '@/lib/client.ts'
import type { SteadyStatus } from '@/lib/sync/status.ts'
import { useNow } from './use-now'

/** Read anew with every change of status, and once a second for the round trip: of each link, once somebody looks. */
export function useStats(opened: OpenDocument, { link }: SteadyStatus): Stats {
  useNow()
  useEffect(() => {
    if (link.state === 'up') opened.measureRoundTrip()
  }, [opened, link])
  return opened.stats()
}
