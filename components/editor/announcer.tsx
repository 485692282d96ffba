'use client'

import type { OpenDocument } from '@/lib/client.ts'
import { describeClose } from '@/lib/protocol/close.ts'
import type { SteadyStatus } from '@/lib/sync/status.ts'
import { useFocused } from '@/components/ui/use-focused'
import { saveStateSentence, type SaveState } from './save-state'
import { useSaveState } from './use-save-state'
import { strings } from '@/lib/strings/save-state.ts'

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
  // A break within the grace mends by itself, and what was typed in it is safe on this device.
  const isBrief = state.kind === 'on-device' && !cutOff && isWithoutLink(status)
  const reading = 'role' in document && document.role === 'viewer'
  return (
    <>
      <output aria-label={strings.spoken.rightsLabel} aria-live={live} className="sr-only">
        {reading && strings.spoken.viewOnly}
      </output>
      <output aria-label={strings.spoken.label} aria-live={live} className="sr-only">
        {isWorthSaying(state) && !isBrief ? saveStateSentence(state) : describeWait(status, cutOff)}
      </output>
    </>
  )
}

function describeWait({ setAside }: SteadyStatus, cutOff: boolean): string | false {
  if (cutOff) return strings.spoken.reconnecting
  return setAside !== undefined && describeClose(setAside)
}

const isWithoutLink = ({ link }: SteadyStatus): boolean =>
  link.state === 'connecting' || link.state === 'retrying'

const isWorthSaying = ({ kind }: SaveState): boolean => kind === 'not-saved' || kind === 'on-device'
