import type { Metadata } from 'next'
import { DashboardPage } from '@/components/lab/dashboard/dashboard-page'

export const metadata: Metadata = { title: 'Dashboard – Lab' }

export default function Page() {
  return <DashboardPage />
}
