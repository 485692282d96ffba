'use client'

import { useState } from 'react'
import { FollowingProvider } from '@/components/following/following-provider.tsx'
import { DocumentOpening, type OpenedDocumentProps } from '@/components/opening/document-opening.tsx'
import { resolveAddress } from '@/components/opening/shell-address.ts'
import { Button } from '@/components/ui/button.tsx'
import { MessagePage } from '@/components/ui/message-page.tsx'
import { useUnknownSchemaName } from './use-unknown-schema-name.ts'
import { DocumentView } from './document-view.tsx'
import { strings } from '@/lib/strings/editor.ts'

export default function DocumentPage({ id: routeId }: { id: string }) {
  const [id] = useState(() => resolveAddress({ document: routeId, panel: '' }).document)
  return <DocumentOpening id={id} kind="text" Content={OpenedDocument} />
}

function OpenedDocument(document: OpenedDocumentProps) {
  const { id, opened, user } = document
  if (useUnknownSchemaName(opened) !== null) return <NewerDocumentNotice />
  return (
    <FollowingProvider document={id} opened={opened} user={user} kind="text">
      <DocumentView {...document} />
    </FollowingProvider>
  )
}

function NewerDocumentNotice() {
  const reload = (
    <Button look="primary" onClick={() => location.reload()}>
      {strings.newerDocument.reload}
    </Button>
  )
  return (
    <MessagePage title={strings.newerDocument.title} actions={reload}>
      {strings.newerDocument.hint}
    </MessagePage>
  )
}
