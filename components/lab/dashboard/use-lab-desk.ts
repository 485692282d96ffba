'use client'

import { useEffect, useState } from 'react'
import { openDesk, type OpenDesk } from '@/lib/client.ts'
import type { TransportChoice } from '@/lib/sync/status.ts'

export type LabDeskState =
  | { readonly state: 'unwanted' | 'opening' }
  | { readonly state: 'failed'; readonly reason: string }
  | { readonly state: 'open'; readonly desk: OpenDesk }

const openingState: LabDeskState = { state: 'opening' }

/** A session of this page while it is wanted: over HTTP/1.1 its requests would take connections from the plain ones. */
export function useLabDesk(isWanted: boolean, transport: TransportChoice): LabDeskState {
  const [desk, setDesk] = useState<LabDeskState>(openingState)
  useEffect(() => {
    if (!isWanted) return
    let isUnmounted = false
    const updateState = (now: LabDeskState) => isUnmounted || setDesk(now)
    const opened = openDesk({ url: location.origin, transport, sharing: 'never' })
    opened.whenSynced.then(
      () => updateState({ state: 'open', desk: opened }),
      (error: unknown) =>
        updateState({ state: 'failed', reason: error instanceof Error ? error.message : String(error) }),
    )
    return () => {
      isUnmounted = true
      setDesk(openingState)
      void opened.close()
    }
  }, [isWanted, transport])
  return isWanted ? desk : { state: 'unwanted' }
}
