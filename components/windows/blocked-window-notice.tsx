'use client'

import { useEffect } from 'react'
import { LazyComponent } from '@/components/ui/lazy-component.tsx'
import { useBlockedOpening } from './open-windows.ts'
import { useOwnWindowEntries } from './use-own-window-entries.ts'

const loadDialog = () => import('./blocked-dialog.tsx')

const dismiss = (): void => useBlockedOpening.setState({ blocked: null })

/** Says that the browser blocked a window. If the window opens all the same, by a permission the page cannot see, nothing is said. */
export function BlockedWindowNotice() {
  const blocked = useBlockedOpening((state) => state.blocked)
  const entries = useOwnWindowEntries()
  const hasOpened = blocked !== null && entries.some(({ self, place }) => !self && place === blocked.slotId)
  useEffect(() => {
    if (hasOpened) dismiss()
  }, [hasOpened])
  if (!blocked || hasOpened) return null
  return <LazyComponent load={loadDialog} props={{ blocked, onClose: dismiss }} onLoadFailed={dismiss} />
}
