import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { PanelLoader } from '@/components/document-window/panel-loader.tsx'
import { isDocumentId } from '@/lib/protocol/ids.ts'
import { isPanelId } from '@/lib/windows/panels.ts'
import { pagesStrings } from '@/lib/strings/pages.ts'

export const metadata: Metadata = { title: pagesStrings.tab.panel, robots: { index: false } }

export default async function Page({ params }: { params: Promise<{ id: string; panel: string }> }) {
  const { id, panel } = await params
  if (!isDocumentId(id) || !isPanelId(panel)) notFound()
  return <PanelLoader document={id} panel={panel} />
}
