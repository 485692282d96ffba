'use client'

import { useEffect } from 'react'
import { readUndoScope, settingsOf } from '@/lib/desk/settings.ts'
import type { Undo } from '@/lib/undo/undo.ts'
import type { OpenDocument } from '@/lib/client.ts'
import { useCommands } from '@/components/commands/use-commands'
import { toast } from '@/components/ui/toast'
import { undoneWords } from './undone-words'
import { undoOf } from './undo-of'

/**
 * Undo in this window: by the person's setting, by key wherever the keyboard is, and said where it is not seen.
 *
 * @param where What this window is, in words; '' for a text, which shows what is undone in it.
 */
export function useUndo(opened: OpenDocument, where = ''): void {
  const undo = undoOf(opened, where)
  useEffect(() => followSetting(opened, undo), [opened, undo])
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
  ])
}

/** A field undoes its own typing. */
const isField = (element: Element | null): boolean =>
  element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement

function followSetting({ desk }: OpenDocument, undo: Undo): () => void {
  if (!desk) return () => {}
  const settings = settingsOf(desk.doc)
  const follow = (): void => undo.setScope(readUndoScope(settings))
  follow()
  settings.observe(follow)
  return () => settings.unobserve(follow)
}
