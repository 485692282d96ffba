'use client'

import { useEffect, useState } from 'react'
import { openDesk, type OpenDesk } from '@/lib/client.ts'
import type { TransportChoice } from '@/lib/sync/status.ts'

export interface DeskOpened {
  readonly desk: OpenDesk
  readonly transport: TransportChoice
}

/** A session of this page, while it is wanted: over HTTP/1.1 its requests would take connections from the others. */
export function useDesk(wanted: boolean, transport: TransportChoice): DeskOpened | null {
  const [opened, setOpened] = useState<DeskOpened | null>(null)
  useEffect(() => {
    if (!wanted) return
    let isGone = false
    const desk = openDesk({ url: location.origin, transport, sharing: 'never' })
    desk.whenSynced.then(
      () => isGone || setOpened({ desk, transport }),
      () => {},
    )
    return () => {
      isGone = true
      setOpened(null)
      void desk.close()
    }
  }, [wanted, transport])
  return opened
}
