'use client'

import { useEffect } from 'react'
import type { OpenDocument } from '@/lib/client.ts'
import { useSettings } from '@/components/settings/use-settings'
import { undoOf } from './undo-of'

/** Whose edits undo takes back in a document that is open here: by the person's setting, as soon as it changes. */
export function useUndoScope(opened: OpenDocument): void {
  const { undo: scope } = useSettings()
  useEffect(() => undoOf(opened).setScope(scope), [opened, scope])
}
