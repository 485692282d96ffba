'use client'

import { useEffect } from 'react'
import type { OpenDocument, LinkStats } from '@/lib/client.ts'
import type { StableSyncStatus } from '@/lib/sync/status.ts'
import { useSessionTime } from './use-session-time.ts'

/** Reads the link's figures at every change of status, and once a second for the round trip while they are on screen. */
export function useLinkStats(opened: OpenDocument, { link }: StableSyncStatus): LinkStats {
  useSessionTime()
  useEffect(() => {
    if (link.state === 'up') opened.measureRoundTrip()
  }, [opened, link])
  return opened.stats()
}
