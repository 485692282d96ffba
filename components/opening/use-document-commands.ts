'use client'

import { useRouter } from 'next/navigation'
import type { OpenDocument } from '@/lib/client.ts'
import { panelIds, type PanelId } from '@/lib/windows/panels.ts'
import type { Command } from '@/components/commands/registry'
import { useCommands } from '@/components/commands/use-commands'
import { useNewDocument } from '@/components/documents/use-new-document'
import { titleOf } from '@/components/documents/title'
import { saveStateOf, saveStateSentence } from '@/components/editor/save-state'
import { sendTo } from '@/components/reach/send-to'
import { toast } from '@/components/ui/toast'
import { windowKindName } from '@/components/windows/window-text'
import type { Opened } from './opened'
import { strings } from '@/lib/strings/opening.ts'

/** What every window of a document can do, whatever it shows of it. */
export function useDocumentCommands(shown: Opened, kind: 'text' | PanelId): void {
  const { opened } = shown
  const router = useRouter()
  const { command: newDocument } = useNewDocument()
  useCommands([
    {
      id: 'save',
      title: strings.saved,
      section: 'Document',
      keys: 'Mod+S',
      run: () => answerSave(opened),
    },
    ...(kind === 'text' ? [newDocument, documentsCommand(() => router.push('/'))] : []),
    { ...sendCommand(shown, kind, 'send'), keys: 'Mod+Alt+S' },
    ...(kind === 'text' ? panelIds.map((panel) => sendCommand(shown, panel, `send:${panel}`)) : []),
  ])
}

const documentsCommand = (run: () => void): Command => ({
  id: 'documents',
  title: strings.documents.title,
  section: 'Go to',
  words: strings.documents.words,
  run,
})

/** Menus run it by its id. */
const sendCommand = (
  { id: document, opened, role }: Opened,
  kind: 'text' | PanelId,
  id: string,
): Command => ({
  id,
  title: kind === 'text' ? strings.send.document : strings.send.panel(windowKindName(kind)),
  section: 'Windows',
  words: strings.send.words,
  run: () => sendTo({ document, kind, role, name: nameOf(kind, opened) }),
})

const nameOf = (kind: 'text' | PanelId, { doc }: OpenDocument): string =>
  kind === 'text' ? titleOf(doc.getText('title').toJSON()) : windowKindName(kind)

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
