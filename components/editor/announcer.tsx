'use client'

import type { OpenDocument } from '@/lib/client.ts'
import type { SteadyStatus } from '@/lib/sync/status.ts'
import { useFocused } from '@/components/ui/use-focused'
import { saveStateSentence, type SaveState } from './save-state'
import { useSaveState } from './use-save-state'

interface AnnouncerProps {
  readonly opened: OpenDocument
  readonly status: SteadyStatus
  /** No link for longer than the grace. */
  readonly cutOff: boolean
}

/** Speaks what matters and nothing else: rights, a lost connection, text that is not safe. Only in the window that has the keyboard. */
export function Announcer({ opened, status, cutOff }: AnnouncerProps) {
  const state = useSaveState(opened, cutOff)
  const { document } = status
  const live = useFocused() ? 'polite' : 'off'
  const reading = 'role' in document && document.role === 'viewer'
  return (
    <>
      <output aria-label="Rights" aria-live={live} className="sr-only">
        {reading && 'View only'}
      </output>
      <output aria-label="Announcement" aria-live={live} className="sr-only">
        {isWorthSaying(state) ? saveStateSentence(state) : cutOff && 'Reconnecting.'}
      </output>
    </>
  )
}

const isWorthSaying = ({ kind }: SaveState): boolean => kind === 'not-saved' || kind === 'on-device'
