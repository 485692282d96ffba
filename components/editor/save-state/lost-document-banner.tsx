'use client'

import { useCallback, useEffect, useState } from 'react'
import { api, type TrashedEntry } from '@/components/http-api.ts'
import { pageCommands } from '@/components/commands/command-registry.ts'
import type { OpenedDocumentProps } from '@/components/opening/opened-document.ts'
import { purgeDayOf } from '@/components/opening/purge-day.ts'
import { watchReturn } from '@/components/opening/watch-return.ts'
import { Button } from '@/components/ui/button.tsx'
import { toast } from '@/components/ui/toast.ts'
import { useRequest } from '@/components/ui/use-request.ts'
import { LostProposal } from '@/components/proposals/lost-proposal.tsx'
import { readBranch } from '@/components/proposals/remembered-branches.ts'
import { EndedBanner } from './ended-banner.tsx'
import { endNoticeOf } from './end-notice.ts'
import { trashedDocumentStrings } from '@/lib/strings/trashed-document.ts'

/**
 * Stands over a document that was taken away while it was open. It offers its owner to restore it from the trash, and opens it once more
 * when it is there again, whoever brought it back.
 */
export default function LostDocumentBanner({ id, opened, status, role, reopen }: OpenedDocumentProps) {
  const entry = useTrashedEntry(id, role === 'owner')
  const onReturned = useCallback(() => {
    // What is neither on the server nor on this device is to be copied first.
    if (opened.status.get().unstored === 0) reopen()
  }, [opened, reopen])
  useEffect(() => watchReturn(id, onReturned), [id, onReturned])
  const end = endNoticeOf(status)
  const branch = status.document.state === 'refused' ? readBranch(id) : null
  const action = branch?.isAuthor && <LostProposal id={id} branch={branch} />
  if (!entry) return end && <EndedBanner {...end} opened={opened} {...(action && { action })} />
  return (
    <EndedBanner
      title={trashedDocumentStrings.whileOpen.title}
      sentence={entry.purgedAt ? trashedDocumentStrings.whileOpen.until(purgeDayOf(entry.purgedAt)) : ''}
      opened={opened}
      action={<RestoreButton id={id} onRestored={onReturned} />}
    />
  )
}

/** Null for a document that is not in this person's trash. */
function useTrashedEntry(id: string, isOwner: boolean): TrashedEntry | null {
  const [entry, setEntry] = useState<TrashedEntry | null>(null)
  useEffect(() => {
    if (isOwner) api.getTrashed(id).then(setEntry, () => setEntry(null))
  }, [id, isOwner])
  return entry
}

function RestoreButton({ id, onRestored }: { id: string; onRestored: () => void }) {
  const { run, state } = useRequest(async () => {
    try {
      await api.restoreDocument(id)
      onRestored()
    } catch (error) {
      toast.error(trashedDocumentStrings.failed((error as Error).message))
      throw error
    }
  })
  // The banner leaves with this button, and the person who pressed it goes on writing.
  const wasPressed = state !== 'idle'
  useEffect(
    () => () => void (wasPressed && requestAnimationFrame(() => pageCommands.run('text'))),
    [wasPressed],
  )
  return (
    <Button
      look="primary"
      shape="small"
      onClick={() => void run(undefined)}
      disabled={state === 'pending' || state === 'done'}
    >
      {trashedDocumentStrings.restore}
    </Button>
  )
}
