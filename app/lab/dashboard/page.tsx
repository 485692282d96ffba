import type { Metadata } from 'next'
import { DashboardLoader } from '@/components/lab/dashboard/dashboard-loader.tsx'
import { strings } from '@/lib/strings/pages.ts'

export const metadata: Metadata = { title: strings.tab.dashboard }

export default function Page() {
  return <DashboardLoader />
}
