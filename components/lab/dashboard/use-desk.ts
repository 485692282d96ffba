'use client'

import { useEffect, useState } from 'react'
import { openDesk, type OpenDesk } from '@/lib/client.ts'
import type { TransportChoice } from '@/lib/sync/status.ts'

export type Desk =
  | { readonly state: 'unwanted' | 'opening' }
  | { readonly state: 'failed'; readonly reason: string }
  | { readonly state: 'open'; readonly desk: OpenDesk }

const opening: Desk = { state: 'opening' }

/** A session of this page, while it is wanted: over HTTP/1.1 its requests would take connections from the others. */
export function useDesk(wanted: boolean, transport: TransportChoice): Desk {
  const [desk, setDesk] = useState<Desk>(opening)
  useEffect(() => {
    if (!wanted) return
    let isGone = false
    const tell = (now: Desk) => isGone || setDesk(now)
    const opened = openDesk({ url: location.origin, transport, sharing: 'never' })
    opened.whenSynced.then(
      () => tell({ state: 'open', desk: opened }),
      (error: unknown) =>
        tell({ state: 'failed', reason: error instanceof Error ? error.message : String(error) }),
    )
    return () => {
      isGone = true
      setDesk(opening)
      void opened.close()
    }
  }, [wanted, transport])
  return wanted ? desk : { state: 'unwanted' }
}
