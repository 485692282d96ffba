'use client'

import { useEffect } from 'react'
import { rememberedChoice } from '@/components/connection/choice'
import { toast } from '@/components/ui/toast'
import { registerWorker } from './worker'
import { strings } from '@/lib/strings/pages.ts'

/** On every page: pages learn to open offline, and what earlier windows could not send is sent. */
export function Offline() {
  useEffect(() => {
    let undo = () => {}
    let gone = false
    void whenIdle().then(async () => {
      if (gone) return
      void registerWorker()
      const { startBackgroundSync } = await import('@/lib/background-sync.ts')
      if (gone) return
      undo = startBackgroundSync({ transport: rememberedChoice, onSent: said, onRefused: saidRefused })
    })
    return () => {
      gone = true
      undo()
    }
  }, [])
  return null
}

const said = (count: number) => toast(strings.earlierVisit.sent(count))

const saidRefused = (count: number, why: string) => toast.error(strings.earlierVisit.refused(count, why))

async function whenIdle(): Promise<void> {
  if (document.readyState !== 'complete')
    await new Promise((resolve) => addEventListener('load', resolve, { once: true }))
  // Not in Safari.
  if ('requestIdleCallback' in window)
    await new Promise((resolve) => requestIdleCallback(resolve, { timeout: 2_000 }))
}
