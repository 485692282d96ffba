import type { Metadata } from 'next'
import { DashboardLoader } from '@/components/lab/dashboard/dashboard-loader'

export const metadata: Metadata = { title: 'Dashboard – Lab' }

export default function Page() {
  return <DashboardLoader />
}
