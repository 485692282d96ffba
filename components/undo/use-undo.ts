'use client'

import { useEffect } from 'react'
import type { OpenDocument } from '@/lib/client.ts'
import type { UndoScope } from '@/lib/desk/settings.ts'
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
      when: () => undo.next('undo') !== undefined,
      keysWhen: isNoField,
      run: () => undo.undo(),
    },
    {
      id: 'redo',
      title: 'Redo',
      section: 'Text',
      keys: ['Mod+Shift+Z', 'Mod+Y'],
      when: () => undo.next('redo') !== undefined,
      keysWhen: isNoField,
      run: () => undo.redo(),
    },
    {
      id: 'undo-scope',
      title: `Setting: undo applies to changes made in ${scope === 'all' ? 'this window' : 'all my windows'}`,
      section: 'Windows',
      run: () => setScope(scope === 'all' ? 'window' : 'all'),
    },
  ])
}

function setScope(scope: UndoScope): void {
  settings.set('undo', scope)
  toast(`Undo now applies to changes made in ${scope === 'all' ? 'all your windows' : 'this window'}.`, {
    id: 'undo-scope',
  })
}

/** A field undoes its own typing. */
const isNoField = (): boolean => !document.activeElement?.matches('input, textarea')
