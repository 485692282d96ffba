'use client'

import { useState } from 'react'
import { LazyComponent } from '@/components/ui/lazy-component.tsx'
import { useRequiredDock } from './dock.ts'

const load = () => import('./restore-bar.tsx')

/** Offers the windows of an earlier visit that are gone, until the person has decided. */
export function LostWindows() {
  const { lostPanels, dockLostPanels, detachPanel } = useRequiredDock()
  const [isDismissed, setDismissed] = useState(false)
  if (lostPanels.length === 0 || isDismissed) return null
  const dismiss = () => setDismissed(true)
  const props = { lostPanels, onOpen: detachPanel, onDock: dockLostPanels, onDismiss: dismiss }
  return <LazyComponent load={load} props={props} onLoadFailed={dismiss} />
}
