'use client'

import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { openDocument, type OpenDocument } from '@/lib/client.ts'
import type { SteadyStatus, Status } from '@/lib/sync/status.ts'
import { rememberedChoice } from '@/components/connection/choice'
import { rememberedSharing } from '@/components/connection/sharing'
import { keep, release } from './open-documents'

/** Undefined until the effect ran: a document is opened by a page that is on screen, and closed when it leaves. */
export function useDocument(id: string): OpenDocument | undefined {
  const [opened, setOpened] = useState<OpenDocument>()
  useEffect(() => {
    const handle = openDocument({
      url: location.origin,
      document: id,
      transport: rememberedChoice(),
      sharing: rememberedSharing(),
    })
    keep(handle)
    // oxlint-disable-next-line react/set-state-in-effect -- a connection cannot be opened while rendering
    setOpened(handle)
    return () => {
      setOpened(undefined)
      release(handle)
    }
  }, [id])
  return opened
}

/** Renders twice a key or more: for what is small. */
export function useStatus({ status }: OpenDocument): Status {
  return useSyncExternalStore(status.subscribe, status.get, status.get)
}

/** Renders only when more than the counts of edits changed: for what holds a page. */
export function useSteadyStatus({ status }: OpenDocument): SteadyStatus {
  const get = useMemo(() => steadily(status.get), [status])
  return useSyncExternalStore(status.subscribe, get, get)
}

/** The same object until something in it changes. */
function steadily(get: () => Status): () => SteadyStatus {
  let seen: Status | undefined
  let steady: SteadyStatus | undefined
  let text = ''
  return () => {
    const now = get()
    if (steady && now === seen) return steady
    seen = now
    const { unsaved: _unsaved, unstored: _unstored, ...rest } = now
    const restText = JSON.stringify(rest)
    if (!steady || restText !== text) steady = rest
    text = restText
    return steady
  }
}
