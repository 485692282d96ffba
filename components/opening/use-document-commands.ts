'use client'

import type { OpenDocument } from '@/lib/client.ts'
import type { PanelId } from '@/lib/windows/panels.ts'
import { useCommands } from '@/components/commands/use-commands'
import { titleOf } from '@/components/documents/title'
import { saveStateOf, saveStateSentence } from '@/components/editor/save-state'
import { sendTo } from '@/components/reach/send-to'
import { toast } from '@/components/ui/toast'
import type { Opened } from './opened'

/** What every window of a document can do, whatever it shows of it. */
export function useDocumentCommands(
  { id, opened, role }: Opened,
  kind: 'text' | PanelId,
  name?: string,
): void {
  useCommands([
    {
      id: 'save',
      title: 'Say whether everything is saved',
      section: 'Document',
      keys: 'Mod+S',
      run: () => answerSave(opened),
    },
    {
      id: 'send',
      title: `Send ${name ?? 'this document'} to another device or person`,
      section: 'Windows',
      words: 'phone tablet QR code share link',
      run: () =>
        sendTo({ document: id, kind, role, name: name ?? titleOf(opened.doc.getText('title').toJSON()) }),
    },
  ])
}

const toastId = 'save-state'

/** Nothing is to be done, so it says how things stand, and again once all is saved. */
function answerSave(opened: OpenDocument): void {
  const now = opened.status.get()
  const cutOff = now.link.state !== 'up'
  const state = saveStateOf(now, { cutOff, stalled: false })
  toast(saveStateSentence(state), { id: toastId })
  if (state.kind !== 'sending') return
  opened.whenSaved().then(
    () => toast(saveStateSentence({ kind: 'saved' }), { id: toastId }),
    () => undefined,
  )
}
