'use client'

import { lazy, Suspense, useState } from 'react'
import { useDockHere } from './dock'

const RestoreBar = lazy(() => import('@/components/windows/restore-bar'))

/** The windows of an earlier visit that are there no longer, until the person has decided. */
export function LostWindows() {
  const { lost, dockLost, detach } = useDockHere()
  const [isPutOff, setPutOff] = useState(false)
  if (lost.length === 0 || isPutOff) return null
  return (
    <Suspense>
      <RestoreBar missing={lost} onOpen={detach} onDock={dockLost} onDismiss={() => setPutOff(true)} />
    </Suspense>
  )
}
