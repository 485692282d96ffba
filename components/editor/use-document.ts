'use client'

import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { openDocument, type OpenDocument } from '@/lib/client.ts'
import type { StableSyncStatus, SyncStatus } from '@/lib/sync/status.ts'
import { rememberedTransport } from '@/components/connection/remembered-transport.ts'
import { rememberedLinkSharing } from '@/components/connection/remembered-link-sharing.ts'
import { retainDocument, releaseDocument } from './open-documents.ts'

/** Opens a document while its page is on screen and closes it afterwards. Undefined until the effect ran. */
export function useDocument(id: string): OpenDocument | undefined {
  const [opened, setOpened] = useState<OpenDocument>()
  useEffect(() => {
    const created = openDocument({
      url: location.origin,
      document: id,
      transport: rememberedTransport(),
      sharing: rememberedLinkSharing(),
    })
    retainDocument(created)
    // oxlint-disable-next-line react/set-state-in-effect -- a connection cannot be opened while rendering
    setOpened(created)
    return () => {
      setOpened(undefined)
      releaseDocument(created)
    }
  }, [id])
  return opened
}

/** Renders twice or more per key press, so it is for small components. */
export function useStatus({ status }: OpenDocument): SyncStatus {
  return useSyncExternalStore(status.subscribe, status.get, status.get)
}

/** Renders only when more than the counts of edits changed, so it is for components that hold a page. */
export function useSteadyStatus({ status }: OpenDocument): StableSyncStatus {
  const get = useMemo(() => createSteadyReader(status.get), [status])
  return useSyncExternalStore(status.subscribe, get, get)
}

/** Returns the same object until something in it changes. */
function createSteadyReader(get: () => SyncStatus): () => StableSyncStatus {
  let latestStatus: SyncStatus | undefined
  let steady: StableSyncStatus | undefined
  let steadyText = ''
  return () => {
    const now = get()
    if (steady && now === latestStatus) return steady
    latestStatus = now
    const { unsaved: _unsaved, unstored: _unstored, ...rest } = now
    const restText = JSON.stringify(rest)
    if (!steady || restText !== steadyText) steady = rest
    steadyText = restText
    return steady
  }
}
