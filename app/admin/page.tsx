import type { Metadata } from 'next'
import { AdminPage } from '@/components/admin/admin-page.tsx'
import { pagesStrings } from '@/lib/strings/pages.ts'

export const metadata: Metadata = { title: pagesStrings.tab.admin }

/** A server without ADMIN_TOKEN answers 404 in its place. */
export default function Page() {
  return <AdminPage />
}
