'use client'

import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { openDocument, type OpenDocument } from '@/lib/client.ts'
import type { StableSyncStatus, SyncStatus } from '@/lib/sync/status.ts'
import { rememberedTransport } from '@/components/connection/remembered-transport.ts'
import { rememberedLinkSharing } from '@/components/connection/remembered-link-sharing.ts'
import { retainDocument, releaseDocument } from '@/components/open-documents.ts'

interface DocumentOnScreen {
  /** Undefined until the effect ran. */
  readonly opened: OpenDocument | undefined
  /** Counts how often the document on screen was opened once more. */
  readonly attempt: number
  /** Opens a document once more that the server refused. Its text stays on screen until the new one is in step. */
  reopen(this: void): void
}

interface OpeningAttempt {
  readonly number: number
  /** What it goes on with. */
  readonly former?: OpenDocument | undefined
}

interface ShownDocument {
  readonly id: string
  readonly opened: OpenDocument
  readonly attempt: number
}

/** Opens a document while its page is on screen and closes it afterwards. */
export function useDocument(id: string): DocumentOnScreen {
  const [attempt, setAttempt] = useState<OpeningAttempt>({ number: 0 })
  const [shown, setShown] = useState<ShownDocument>()
  const latest = useRef<OpenDocument>(undefined)
  useEffect(() => {
    const { number, former } = attempt
    const created = openDocument({
      url: location.origin,
      document: id,
      transport: rememberedTransport(),
      sharing: rememberedLinkSharing(),
      ...(former && { former }),
    })
    retainDocument(created)
    latest.current = created
    const show = () => setShown({ id, opened: created, attempt: number })
    if (number === 0) show()
    else created.whenSynced.then(show, () => undefined)
    return () => releaseDocument(created)
  }, [id, attempt])
  const reopen = useCallback(() => {
    const opened = latest.current
    if (opened?.status.get().document.state !== 'refused') return
    setAttempt(({ number }) => ({ number: number + 1, former: isSaved(opened) ? opened : undefined }))
  }, [])
  return { opened: shown?.id === id ? shown.opened : undefined, attempt: shown?.attempt ?? 0, reopen }
}

/** What the server lacks or has refused must not be shown as saved: such a document is opened from the server's text alone. */
function isSaved({ status }: OpenDocument): boolean {
  const { unsaved, refusal } = status.get()
  return unsaved === 0 && !refusal
}

/** Renders twice or more per key press, so it is for small components. */
export function useStatus({ status }: OpenDocument): SyncStatus {
  return useSyncExternalStore(status.subscribe, status.get, status.get)
}

/** Renders only when more changed than how far the text is saved, so it is for components that hold a page. */
export const useStableStatus = ({ stableStatus }: OpenDocument): StableSyncStatus =>
  useSyncExternalStore(stableStatus.subscribe, stableStatus.get, stableStatus.get)
