'use client'

import { useState } from 'react'
import { Late } from '@/components/ui/late'
import { useDockHere } from './dock'

const load = () => import('@/components/windows/restore-bar')

/** The windows of an earlier visit that are there no longer, until the person has decided. */
export function LostWindows() {
  const { lost, dockLost, detach } = useDockHere()
  const [isPutOff, setPutOff] = useState(false)
  if (lost.length === 0 || isPutOff) return null
  const putOff = () => setPutOff(true)
  const props = { missing: lost, onOpen: detach, onDock: dockLost, onDismiss: putOff }
  return <Late load={load} props={props} onMissing={putOff} />
}
