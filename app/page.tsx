import type { Metadata } from 'next'
import { DocumentsPage } from '@/components/documents/documents-page.tsx'
import { pagesStrings } from '@/lib/strings/pages.ts'

export const metadata: Metadata = { title: pagesStrings.tab.documents }

export default function Page() {
  return <DocumentsPage />
}
