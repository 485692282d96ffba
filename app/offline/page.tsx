import type { Metadata } from 'next'
import { NeedsNetwork } from '@/components/offline/needs-network'
import { strings } from '@/lib/strings/pages.ts'

export const metadata: Metadata = { title: strings.tab.offline, robots: { index: false } }

/** Kept by the service worker, for addresses that nothing on this device can stand in for. */
export default function Page() {
  return <NeedsNetwork />
}
