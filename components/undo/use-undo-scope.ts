'use client'

import { useMemo, useSyncExternalStore } from 'react'
import { readUndoScope, settingsOf } from '@/lib/desk/settings.ts'
import type { UndoScope } from '@/lib/undo/stacks.ts'
import type { OpenPart } from '@/lib/sync/part.ts'

/** Whose edits undo takes back, as this person has set it for all their windows. Null where there is no desk to keep it in. */
export function useUndoScope(desk: OpenPart | null): [UndoScope, ((scope: UndoScope) => void) | null] {
  const [subscribe, get, set] = useMemo(() => {
    const settings = desk && settingsOf(desk.doc)
    return [
      (listener: () => void) => {
        settings?.observe(listener)
        return () => settings?.unobserve(listener)
      },
      () => (settings ? readUndoScope(settings) : 'window'),
      settings && ((scope: UndoScope) => void settings.set('undo', scope)),
    ] as const
  }, [desk])
  return [useSyncExternalStore(subscribe, get, get), set]
}
