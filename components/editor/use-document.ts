'use client'

import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import { openDocument, type OpenDocument } from '@/lib/client.ts'
import type { Status } from '@/lib/sync/status.ts'
import { rememberedChoice } from '@/components/connection/choice'
import { keep, release } from './open-documents'

/** Undefined until the effect ran: a document is opened by a page that is on screen, and closed when it leaves. */
export function useDocument(id: string): OpenDocument | undefined {
  const [opened, setOpened] = useState<OpenDocument>()
  useEffect(() => {
    const handle = openDocument({ url: location.origin, document: id, transport: rememberedChoice() })
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

export function useStatus(opened: OpenDocument): Status {
  const subscribe = useCallback((listener: () => void) => opened.status.subscribe(listener), [opened])
  const get = useCallback(() => opened.status.get(), [opened])
  return useSyncExternalStore(subscribe, get, get)
}
