'use client'

import { useState } from 'react'
import { FollowingProvider } from '@/components/following/following-provider'
import { Opening, type Opened } from '@/components/opening/opened'
import { addressOf } from '@/components/opening/shell'
import { Button } from '@/components/ui/button'
import { Face } from '@/components/ui/face'
import { useUnknownPart } from './use-unknown-part'
import { Workspace } from './workspace'

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
      Reload
    </Button>
  )
  return (
    <Face title="This document needs a newer page" actions={reload}>
      It has parts that this page does not know, and could only damage. Nothing is lost: reload the page to go
      on.
    </Face>
  )
}
