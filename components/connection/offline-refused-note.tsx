'use client'

import { useOfflineState } from './service-worker.ts'
import { connectionDialogStrings } from '@/lib/strings/connection-dialog.ts'

/** Renders only if offline support failed. */
export function OfflineRefusedNote() {
  const { state } = useOfflineState()
  if (state !== 'refused') return null
  return (
    <p className="rounded-lg bg-sunk px-3 py-2 text-sm text-muted">
      {connectionDialogStrings.offline.refused}
    </p>
  )
}
