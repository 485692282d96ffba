'use client'

import type { Status } from '@/lib/sync/status.ts'
import { saveStateSentence, type SaveState } from './save-state'

interface AnnouncerProps {
  readonly status: Status
  /** No link for longer than the grace. */
  readonly cutOff: boolean
  readonly state: SaveState
}

/** Speaks what matters and nothing else: rights, a lost connection, text that is not safe. */
export function Announcer({ status, cutOff, state }: AnnouncerProps) {
  const reading = status.document.state === 'synced' && status.document.role === 'viewer'
  return (
    <>
      <output aria-label="Rights" className="sr-only">
        {reading && 'You can read this document.'}
      </output>
      <output aria-label="Announcement" className="sr-only">
        {state.kind === 'not-saved' ? saveStateSentence(state) : cutOff && 'Reconnecting.'}
      </output>
    </>
  )
}
