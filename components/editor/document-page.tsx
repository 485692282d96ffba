'use client'

import { useState } from 'react'
import { FollowingProvider } from '@/components/following/following-provider'
import { Opening, type Opened } from '@/components/opening/opened'
import { addressOf } from '@/components/opening/shell'
import { Button } from '@/components/ui/button'
import { Face } from '@/components/ui/face'
import { useUnknownPart } from './use-unknown-part'
import { Workspace } from './workspace'
import { strings } from '@/lib/strings/editor.ts'

export default function DocumentPage({ id: given }: { id: string }) {
  const [id] = useState(() => addressOf({ document: given, panel: '' }).document)
  return <Opening id={id} kind="text" Content={OpenedDocument} />
}

function OpenedDocument(document: Opened) {
  const { id, opened, user } = document
  if (useUnknownPart(opened) !== null) return <NewerDocument />
  return (
    <FollowingProvider document={id} opened={opened} user={user} kind="text">
      <Workspace {...document} />
    </FollowingProvider>
  )
}

function NewerDocument() {
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
