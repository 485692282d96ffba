'use client'

import { useOffline } from '@/components/offline/worker'

/** Only where something is amiss. */
export function OfflineNote() {
  const { state } = useOffline()
  if (state !== 'refused') return null
  return (
    <p className="rounded-lg bg-sunk px-3 py-2 text-sm text-muted">
      Without a connection this page could not be opened again: most likely the browser does not trust the
      server’s certificate, and lets no such page work offline. What you write is kept on this device all the
      same.
    </p>
  )
}
