'use client'

import { MonitorUp } from 'lucide-react'
import { useEffect } from 'react'
import { Button } from '@/components/ui/button'
import { askForScreens, canAskForScreens, recallScreens, useScreens } from './screens'

/** Asks to place windows on every screen: on this click, and never by itself. */
export function AllScreens() {
  const { state, known } = useScreens()
  useEffect(() => void recallScreens(), [])
  if (!canAskForScreens()) return null
  if (state === 'granted')
    return (
      <p className="text-sm text-muted">
        {known.length === 1 ? 'One screen is in use.' : `${known.length} screens are in use.`}
      </p>
    )
  return (
    <div className="flex flex-col items-start gap-1.5">
      <Button shape="small" onClick={() => void askForScreens()}>
        <MonitorUp size={14} aria-hidden /> Use all my screens
      </Button>
      <p className="text-sm text-muted">
        {state === 'denied'
          ? 'Blocked by the browser. Allow window management in this site’s settings.'
          : 'Windows come back on the screen they stood on. The browser will ask you.'}
      </p>
    </div>
  )
}
