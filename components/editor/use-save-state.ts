'use client'

import { useEffect, useMemo, useSyncExternalStore } from 'react'
import type { OpenDocument } from '@/lib/client.ts'
import { realClock } from '@/lib/session/clock.ts'
import { alsoShown } from './also-shown'
import type { SaveState } from './save-state'
import { SaveStateWatch } from './save-state-watch'

/** @param cutOff No link for longer than the grace. */
export function useSaveState({ status }: OpenDocument, cutOff: boolean): SaveState {
  const watch = useMemo(() => new SaveStateWatch(status, alsoShown, realClock), [status])
  useEffect(() => watch.setCutOff(cutOff), [watch, cutOff])
  return useSyncExternalStore(watch.subscribe, watch.get, watch.get)
}
