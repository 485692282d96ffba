'use client'

import { useRouter } from 'next/navigation'
import type { OpenDocument } from '@/lib/client.ts'
import { panelIds, type PanelId } from '@/lib/windows/panels.ts'
import type { Command } from '@/components/commands/command-registry.ts'
import { useCommands } from '@/components/commands/use-commands.ts'
import { useNewDocument } from '@/components/documents/use-new-document.ts'
import { shownTitle } from '@/lib/strings/shown-title.ts'
import { saveStateOf, saveStateSentence } from '@/components/editor/save-state/save-state.ts'
import { openSendDialog } from '@/components/device-handoff/send-dialog-host.tsx'
import { toast, toastNotLoaded } from '@/components/ui/toast.ts'
import { windowKindName } from '@/components/windows/window-text.ts'
import type { OpenedDocumentProps } from '@/components/opening/opened-document.ts'
import { openingStrings } from '@/lib/strings/opening.ts'

/** The commands of every window of a document, whatever it shows. */
export function useDocumentCommands(openedDocument: OpenedDocumentProps, kind: 'text' | PanelId): void {
  const { opened } = openedDocument
  const router = useRouter()
  const { command: newDocument } = useNewDocument()
  useCommands([
    {
      id: 'save',
      title: openingStrings.saved,
      section: 'Document',
      keys: 'Mod+S',
      run: () => showSaveState(opened),
    },
    ...(kind === 'text'
      ? [newDocument, createDocumentsCommand(() => router.push('/')), ...createOrderCommands(openedDocument)]
      : []),
    { ...createSendCommand(openedDocument, kind, 'send'), keys: 'Mod+Alt+S' },
    ...(kind === 'text'
      ? panelIds.map((panel) => createSendCommand(openedDocument, panel, `send:${panel}`))
      : []),
  ])
}

const createDocumentsCommand = (run: () => void): Command => ({
  id: 'documents',
  title: openingStrings.documents.title,
  section: 'Go to',
  words: openingStrings.documents.words,
  run,
})

/** Their code, and the dialog, come when they are run. */
function createOrderCommands({ id, opened }: OpenedDocumentProps): readonly Command[] {
  const { order } = openingStrings
  const load = () => import('@/components/documents/document-order-commands.ts')
  const run = (name: 'moveOpenDocument' | 'toggleFavourite') => () =>
    void load().then((code) => code[name](id, opened.doc.getText('title').toJSON()), toastNotLoaded)
  return [
    {
      id: 'move-to-folder',
      title: order.move,
      section: 'Document',
      keys: 'Mod+Shift+M',
      words: order.moveWords,
      run: run('moveOpenDocument'),
    },
    {
      id: 'toggle-favourite',
      title: order.favourite,
      section: 'Document',
      words: order.favouriteWords,
      run: run('toggleFavourite'),
    },
  ]
}

/** Menus run this command by its id. */
const createSendCommand = (
  { id: document, opened, role }: OpenedDocumentProps,
  kind: 'text' | PanelId,
  id: string,
): Command => ({
  id,
  title: kind === 'text' ? openingStrings.send.document : openingStrings.send.panel(windowKindName(kind)),
  section: 'Windows',
  words: openingStrings.send.words,
  run: () => openSendDialog({ document, kind, role, name: shownName(kind, opened) }),
})

const shownName = (kind: 'text' | PanelId, { doc }: OpenDocument): string =>
  kind === 'text' ? shownTitle(doc.getText('title').toJSON()) : windowKindName(kind)

const toastId = 'save-state'

/** Mod+S has nothing to do, so it says the present save state, and again once all is saved. */
function showSaveState(opened: OpenDocument): void {
  const status = opened.status.get()
  // The answer to a key waits for no grace period.
  const isLinkDown = status.link.state !== 'up'
  const state = saveStateOf(status, { isDisconnected: isLinkDown, isStalled: false, isDeviceBehind: false })
  toast(saveStateSentence(state), { id: toastId })
  if (state.kind !== 'sending') return
  opened.whenSaved().then(
    () => toast(saveStateSentence({ kind: 'saved' }), { id: toastId }),
    () => undefined,
  )
}
