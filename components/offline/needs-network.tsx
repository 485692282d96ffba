'use client'

import { useSyncExternalStore } from 'react'
import { Button } from '@/components/ui/button.tsx'
import { MessagePage } from '@/components/ui/message-page.tsx'
import { commonStrings } from '@/lib/strings/common.ts'
import { offlineStrings } from '@/lib/strings/offline.ts'

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
      {commonStrings.tryAgain}
    </Button>
  )
  return (
    <MessagePage title={isNew ? offlineStrings.newTitle : offlineStrings.title} actions={retryButton}>
      {isNew ? offlineStrings.newHint : offlineStrings.hint}
    </MessagePage>
  )
}
