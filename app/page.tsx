import type { Metadata } from 'next'
import { DocumentsPage } from '@/components/documents/documents-page.tsx'
import { strings } from '@/lib/strings/pages.ts'

export const metadata: Metadata = { title: strings.tab.documents }

export default function Page() {
  return <DocumentsPage />
}
