'use client'

import { MonitorUp } from 'lucide-react'
import { useEffect } from 'react'
import { Button } from '@/components/ui/button'
import { askForScreens, canAskForScreens, recallScreens, useScreens } from './screens'
import { strings } from '@/lib/strings/windows-dialog.ts'

/** Asks to place windows on every screen: on this click, and never by itself. */
export function AllScreens() {
  const { state, known } = useScreens()
  useEffect(() => void recallScreens(), [])
  if (!canAskForScreens()) return null
  if (state === 'granted') return <p className="text-sm text-muted">{strings.screens.inUse(known.length)}</p>
  return (
    <div className="flex flex-col items-start gap-1.5">
      <Button shape="small" onClick={() => void askForScreens()}>
        <MonitorUp size={14} aria-hidden /> {strings.screens.use}
      </Button>
      <p className="text-sm text-muted">
        {state === 'denied' ? strings.screens.denied : strings.screens.hint}
      </p>
    </div>
  )
}
