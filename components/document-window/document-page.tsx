'use client'

import { useState } from 'react'
import { FollowingProvider } from '@/components/following/following-provider.tsx'
import { DocumentOpening } from './document-opening.tsx'
import type { OpenedDocumentProps } from '@/components/opening/opened-document.ts'
import { resolveAddress } from '@/components/opening/shell-address.ts'
import { DocumentView } from './document-view.tsx'

export default function DocumentPage({ id: routeId }: { id: string }) {
  const [id] = useState(() => resolveAddress({ document: routeId, panel: '' }).document)
  return <DocumentOpening id={id} kind="text" Content={OpenedDocument} />
}

function OpenedDocument(document: OpenedDocumentProps) {
  const { id, opened, user } = document
  return (
    <FollowingProvider document={id} opened={opened} user={user} kind="text">
      <DocumentView {...document} />
    </FollowingProvider>
  )
}
