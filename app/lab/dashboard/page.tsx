import type { Metadata } from 'next'
import { DashboardLoader } from '@/components/lab/dashboard/dashboard-loader.tsx'
import { pagesStrings } from '@/lib/strings/pages.ts'

export const metadata: Metadata = { title: pagesStrings.tab.dashboard }

export default function Page() {
  return <DashboardLoader />
}
