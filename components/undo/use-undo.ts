'use client'

import { useEffect } from 'react'
import type { OpenDocument } from '@/lib/client.ts'
import type { UndoScope } from '@/lib/desk/settings.ts'
import { useCommands } from '@/components/commands/use-commands.ts'
import { settingsStore } from '@/components/settings/settings-store.ts'
import { useSettings } from '@/components/settings/use-settings.ts'
import { toast } from '@/components/ui/toast.ts'
import { undoText } from './undo-text.ts'
import { undoOf } from './undo-of.ts'
import { useUndoScope } from './use-undo-scope.ts'
import { undoStrings } from '@/lib/strings/undo.ts'

/**
 * Undo in this window: follows the person's setting, works by key wherever the focus is, and says what it did where that is not visible.
 *
 * @param windowLabel What this window is, in words; '' for a text, which shows what is undone in it.
 */
export function useUndo(opened: OpenDocument, windowLabel = ''): void {
  const undo = undoOf(opened, windowLabel)
  const { undo: scope } = useSettings()
  const otherScope = scope === 'all' ? 'window' : 'all'
  useUndoScope(opened)
  useEffect(
    () =>
      undo.onUndone((report) => {
        if (windowLabel || !report.isOwnStep) toast(undoText(report), { id: 'undone' })
      }),
    [undo, windowLabel],
  )
  useCommands([
    {
      id: 'undo',
      title: undoStrings.undo,
      section: 'Text',
      keys: 'Mod+Z',
      when: () => undo.nextItem('undo') !== undefined,
      keysWhen: isOutsideField,
      run: () => undo.undo(),
    },
    {
      id: 'redo',
      title: undoStrings.redo,
      section: 'Text',
      keys: ['Mod+Shift+Z', 'Mod+Y'],
      when: () => undo.nextItem('redo') !== undefined,
      keysWhen: isOutsideField,
      run: () => undo.redo(),
    },
    {
      id: 'undo-scope',
      title: undoStrings.scope.choose[otherScope],
      section: 'Windows',
      run: () => setScope(otherScope),
    },
  ])
}

function setScope(scope: UndoScope): void {
  settingsStore.set('undo', scope)
  toast(undoStrings.scope.chosen[scope], { id: 'undo-scope' })
}

/** A field undoes its own typing. */
const isOutsideField = (): boolean => !document.activeElement?.matches('input, textarea')
