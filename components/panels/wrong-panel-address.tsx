'use client'

import { useParams } from 'next/navigation'
import { isDocumentId } from '@/lib/protocol/ids.ts'
import { MissingDocument } from '@/components/ui/message-page.tsx'
import { UnknownPanel } from './unknown-panel.tsx'

/** Shown when the document or the panel in the address may be wrong. */
export function WrongPanelAddress() {
  const { id } = useParams<{ id?: string }>()
  return id !== undefined && isDocumentId(id) ? <UnknownPanel document={id} /> : <MissingDocument />
}
