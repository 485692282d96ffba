'use client'

import type { OpenDocument } from '@/lib/client.ts'
import type { SteadyStatus } from '@/lib/sync/status.ts'
import { saveStateSentence, type SaveState } from './save-state'
import { useSaveState } from './use-save-state'

interface AnnouncerProps {
  readonly opened: OpenDocument
  readonly status: SteadyStatus
  /** No link for longer than the grace. */
  readonly cutOff: boolean
}

/** Speaks what matters and nothing else: rights, a lost connection, text that is not safe. */
export function Announcer({ opened, status, cutOff }: AnnouncerProps) {
  const state = useSaveState(opened, cutOff)
  const { document } = status
  const reading = 'role' in document && document.role === 'viewer'
  return (
    <>
      <output aria-label="Rights" className="sr-only">
        {reading && 'You can read this document.'}
      </output>
      <output aria-label="Announcement" className="sr-only">
        {isWorthSaying(state) ? saveStateSentence(state) : cutOff && 'Reconnecting.'}
      </output>
    </>
  )
}

const isWorthSaying = ({ kind }: SaveState): boolean => kind === 'not-saved' || kind === 'on-device'
