'use client'

import { useState } from 'react'
import { FollowingProvider } from '@/components/following/following-provider'
import { Opening, type Opened } from '@/components/opening/opened'
import { addressOf } from '@/components/opening/shell'
import { Button } from '@/components/ui/button'
import { Face } from '@/components/ui/face'
import { useUnknownSchemaName } from './use-unknown-schema-name'
import { DocumentView } from './document-view'
import { strings } from '@/lib/strings/editor.ts'

export default function DocumentPage({ id: routeId }: { id: string }) {
  const [id] = useState(() => addressOf({ document: routeId, panel: '' }).document)
  return <Opening id={id} kind="text" Content={OpenedDocument} />
}

function OpenedDocument(document: Opened) {
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
    <Face title={strings.newerDocument.title} actions={reload}>
      {strings.newerDocument.hint}
    </Face>
  )
}
