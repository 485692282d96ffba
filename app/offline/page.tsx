import type { Metadata } from 'next'
import { NeedsNetwork } from '@/components/offline/needs-network.tsx'
import { pagesStrings } from '@/lib/strings/pages.ts'

export const metadata: Metadata = { title: pagesStrings.tab.offline, robots: { index: false } }

/** The service worker caches this page for addresses that no other cached page can serve. */
export default function Page() {
  return <NeedsNetwork />
}
