'use client'

import { useEffect } from 'react'
import { api, type TrashedEntry } from '@/components/http-api.ts'
import { shownTitle } from '@/lib/strings/shown-title.ts'
import { Button } from '@/components/ui/button.tsx'
import { MessagePage } from '@/components/ui/message-page.tsx'
import { useRequest } from '@/components/ui/use-request.ts'
import { purgeDayOf } from './purge-day.ts'
import { watchReturn } from './watch-return.ts'
import { trashedDocumentStrings } from '@/lib/strings/trashed-document.ts'

interface TrashedDocumentProps {
  readonly entry: TrashedEntry
  /** Opens the document, which is there again. */
  readonly reopen: () => void
}

/** The page of a document that lies in its owner's trash. */
export function TrashedDocument({ entry: { id, title, purgedAt }, reopen }: TrashedDocumentProps) {
  const { run, state, error } = useRequest(async () => {
    await api.restoreDocument(id)
    reopen()
  })
  useEffect(() => watchReturn(id, reopen), [id, reopen])
  const restoreButton = (
    <Button
      look="primary"
      onClick={() => void run(undefined)}
      disabled={state !== 'idle' && state !== 'failed'}
    >
      {trashedDocumentStrings.restore}
    </Button>
  )
  return (
    <MessagePage title={trashedDocumentStrings.title} actions={restoreButton}>
      <p>
        <bdi>{shownTitle(title)}</bdi>
        {purgedAt ? trashedDocumentStrings.until(purgeDayOf(purgedAt)) : trashedDocumentStrings.forGood}
      </p>
      <p role="alert" className="mt-2 text-danger empty:hidden">
        {error && trashedDocumentStrings.failed(error.message)}
      </p>
    </MessagePage>
  )
}
