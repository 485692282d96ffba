'use client'

import { useEffect } from 'react'
import type { OpenDocument } from '@/lib/client.ts'
import { useSettings } from '@/components/settings/use-settings.ts'
import { undoOf } from './undo-of.ts'

/** Applies the person's setting for which edits undo takes back in a document open here, as soon as it changes. */
export function useUndoScope(opened: OpenDocument): void {
  const { undo: scope } = useSettings()
  useEffect(() => undoOf(opened).setScope(scope), [opened, scope])
}
