import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { DocumentLoader } from '@/components/document-window/document-loader.tsx'
import { isDocumentId } from '@/lib/protocol/ids.ts'
import { pagesStrings } from '@/lib/strings/pages.ts'

export const metadata: Metadata = { title: pagesStrings.tab.document, robots: { index: false } }

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params
  if (!isDocumentId(id)) notFound()
  return <DocumentLoader id={id} />
}
