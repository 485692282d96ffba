'use client'

import { useEffect } from 'react'
import { rememberedTransport } from '@/components/connection/remembered-transport.ts'
import { toast } from '@/components/ui/toast.ts'
import { whenIdle } from '@/components/ui/when-idle.ts'
import { startBackgroundSync } from '@/lib/background-sync.ts'
import { keepTransports } from './keep-transports.ts'
import { registerServiceWorker } from '@/components/connection/service-worker.ts'
import { pagesStrings } from '@/lib/strings/pages.ts'

/** Runs on every page: prepares pages to open offline, and sends what earlier windows could not send. */
export function OfflineSupport() {
  useEffect(() => {
    let stopBackgroundSync = () => {}
    let isUnmounted = false
    void whenIdle().then(() => {
      if (isUnmounted) return
      void registerServiceWorker().then(() => keepTransports())
      stopBackgroundSync = startBackgroundSync({
        transport: rememberedTransport,
        onSent: toastDelivered,
        onRefused: toastRefused,
      })
    })
    return () => {
      isUnmounted = true
      stopBackgroundSync()
    }
  }, [])
  return null
}

const toastDelivered = (count: number) => toast(pagesStrings.earlierVisit.sent(count))

const toastRefused = (count: number, reason: string) =>
  toast.error(pagesStrings.earlierVisit.refused(count, reason))
