'use client'

import { useEffect, useMemo, useSyncExternalStore } from 'react'
import type { OpenDocument } from '@/lib/client.ts'
import { realClock } from '@/lib/session/clock.ts'
import { secondaryDocuments } from './secondary-documents.ts'
import type { SaveState } from './save-state.ts'
import { SaveStateWatch } from './save-state-watch.ts'

/** @param isDisconnected There has been no link for longer than the grace period. */
export function useSaveState({ status }: OpenDocument, isDisconnected: boolean): SaveState {
  const watch = useMemo(() => new SaveStateWatch(status, secondaryDocuments, realClock), [status])
  useEffect(() => watch.setDisconnected(isDisconnected), [watch, isDisconnected])
  return useSyncExternalStore(watch.subscribe, watch.get, watch.get)
}
