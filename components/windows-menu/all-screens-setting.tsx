'use client'

import { MonitorUp } from 'lucide-react'
import { useEffect } from 'react'
import { Button } from '@/components/ui/button.tsx'
import {
  requestScreens,
  canRequestScreens,
  restoreGrantedScreens,
  useScreens,
} from '@/components/windows/screens.ts'
import { windowsDialogStrings } from '@/lib/strings/windows-dialog.ts'

/** Asks for permission to place windows on every screen: only on this click. */
export function AllScreensSetting() {
  const { state, screens } = useScreens()
  useEffect(() => void restoreGrantedScreens(), [])
  if (!canRequestScreens()) return null
  if (state === 'granted')
    return <p className="text-sm text-muted">{windowsDialogStrings.screens.inUse(screens.length)}</p>
  return (
    <div className="flex flex-col items-start gap-1.5">
      <Button shape="small" onClick={() => void requestScreens()}>
        <MonitorUp size={14} aria-hidden /> {windowsDialogStrings.screens.use}
      </Button>
      <p className="text-sm text-muted">
        {state === 'denied' ? windowsDialogStrings.screens.denied : windowsDialogStrings.screens.hint}
      </p>
    </div>
  )
}
