'use client'

import type { OpenDocument } from '@/lib/client.ts'
import { describeWait } from '@/lib/protocol/close.ts'
import type { StableSyncStatus } from '@/lib/sync/status.ts'
import { useWindowFocused } from '@/components/ui/use-window-focused.ts'
import { saveStateSentence, type SaveState } from './save-state.ts'
import { useSaveState } from './use-save-state.ts'
import { saveStateStrings } from '@/lib/strings/save-state.ts'

interface AnnouncerProps {
  readonly opened: OpenDocument
  readonly status: StableSyncStatus
  /** There has been no link for longer than the grace period. */
  readonly isDisconnected: boolean
}

/**
 * Announces only what matters to a screen reader: rights, a lost connection, text that is not safe. Only the window with the focus
 * announces.
 */
export function Announcer({ opened, status, isDisconnected }: AnnouncerProps) {
  const state = useSaveState(opened, isDisconnected)
  const { document } = status
  const ariaLive = useWindowFocused() ? 'polite' : 'off'
  // An interruption within the grace period recovers by itself, and what was typed meanwhile is safe on this device.
  const isBriefInterruption = state.kind === 'on-device' && !isDisconnected && isLinkDown(status)
  const isViewer = 'role' in document && document.role === 'viewer'
  return (
    <>
      <output
        aria-label={saveStateStrings.announcements.rightsLabel}
        aria-live={ariaLive}
        className="sr-only"
      >
        {isViewer && saveStateStrings.announcements.viewOnly}
      </output>
      <output aria-label={saveStateStrings.announcements.label} aria-live={ariaLive} className="sr-only">
        {isWorthAnnouncing(state) && !isBriefInterruption
          ? saveStateSentence(state)
          : connectionAnnouncement(status, isDisconnected)}
      </output>
    </>
  )
}

function connectionAnnouncement({ setAside }: StableSyncStatus, isDisconnected: boolean): string | false {
  if (isDisconnected) return saveStateStrings.announcements.reconnecting
  return setAside !== undefined && describeWait(setAside)
}

const isLinkDown = ({ link }: StableSyncStatus): boolean =>
  link.state === 'connecting' || link.state === 'retrying'

const isWorthAnnouncing = ({ kind }: SaveState): boolean => kind === 'not-saved' || kind === 'on-device'
