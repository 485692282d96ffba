'use client'

import { useEffect } from 'react'
import type { OpenDocument } from '@/lib/client.ts'
import { useCommands } from '@/components/commands/use-commands'
import { settings } from '@/components/settings/store'
import { useSettings } from '@/components/settings/use-settings'
import { toast } from '@/components/ui/toast'
import { undoneWords } from './undone-words'
import { undoOf } from './undo-of'
import { useUndoScope } from './use-undo-scope'

/**
 * Undo in this window: by the person's setting, by key wherever the keyboard is, and said where it is not seen.
 *
 * @param where What this window is, in words; '' for a text, which shows what is undone in it.
 */
export function useUndo(opened: OpenDocument, where = ''): void {
  const undo = undoOf(opened, where)
  const { undo: scope } = useSettings()
  useUndoScope(opened)
  useEffect(
    () =>
      undo.onUndone((undone) => {
        if (where || !undone.here) toast(undoneWords(undone), { id: 'undone' })
      }),
    [undo, where],
  )
  useCommands([
    {
      id: 'undo',
      title: 'Undo',
      section: 'Text',
      keys: 'Mod+Z',
      when: () => !isField(document.activeElement) && undo.manager.canUndo(),
      run: () => undo.undo(),
    },
    {
      id: 'redo',
      title: 'Redo',
      section: 'Text',
      keys: ['Mod+Shift+Z', 'Mod+Y'],
      when: () => !isField(document.activeElement) && undo.manager.canRedo(),
      run: () => undo.redo(),
    },
    {
      id: 'undo-scope',
      title: scope === 'all' ? 'Undo in this window alone' : 'Undo in all my windows',
      section: 'Windows',
      words: 'setting',
      run: () => settings.set('undo', scope === 'all' ? 'window' : 'all'),
    },
  ])
}

/** A field undoes its own typing. */
const isField = (element: Element | null): boolean =>
  element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement
