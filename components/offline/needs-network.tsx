'use client'

import { useSyncExternalStore } from 'react'
import { Button } from '@/components/ui/button.tsx'
import { MessagePage } from '@/components/ui/message-page.tsx'
import { strings as common } from '@/lib/strings/common.ts'
import { strings } from '@/lib/strings/offline.ts'

const neverChanges = () => () => {}

/** The address shown is the requested one, not this page's own. */
export function NeedsNetwork() {
  const isNew = useSyncExternalStore(
    neverChanges,
    () => location.pathname === '/new',
    () => false,
  )
  const retryButton = (
    <Button look="primary" onClick={() => location.reload()}>
      {common.tryAgain}
    </Button>
  )
  return (
    <MessagePage title={isNew ? strings.newTitle : strings.title} actions={retryButton}>
      {isNew ? strings.newHint : strings.hint}
    </MessagePage>
  )
}
