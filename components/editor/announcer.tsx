'use client'

import type { Status } from '@/lib/sync/status.ts'
import type { SaveState } from './save-state'

interface AnnouncerProps {
  readonly status: Status
  readonly state: SaveState
}

/** Speaks what matters and nothing else: rights, and text that is not safe. */
export function Announcer({ status, state }: AnnouncerProps) {
  const reading = status.document.state === 'synced' && status.document.role === 'viewer'
  return (
    <>
      <output aria-label="Rights" className="sr-only">
        {reading && 'You can read this document.'}
      </output>
      <output aria-label="Announcement" className="sr-only">
        {state.kind === 'not-saved' && `Not saved. ${state.why}`}
      </output>
    </>
  )
}
