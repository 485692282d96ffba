import type { Metadata } from 'next'
import { NeedsNetwork } from '@/components/offline/needs-network'

export const metadata: Metadata = { title: 'No connection', robots: { index: false } }

/** Kept by the service worker, for addresses that nothing on this device can stand in for. */
export default function Page() {
  return <NeedsNetwork />
}
