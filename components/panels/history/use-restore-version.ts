import { useState } from 'react'
import type * as Y from 'yjs'
import type { OpenDocument } from '@/lib/client.ts'
import { type ChangedPlace, restorePlace, restoreVersion } from '@/lib/text/restore.ts'
import type { VersionEntry } from '@/components/http-api.ts'
import { useSettings } from '@/components/settings/use-settings.ts'
import { toast } from '@/components/ui/toast.ts'
import { runUndoable } from '@/components/undo/run-undoable.ts'
import { undoOf } from '@/components/undo/undo-of.ts'
import { useSaveVersion } from './use-versions.ts'
import { versionTimeText } from './history-text.ts'
import { historyStrings } from '@/lib/strings/history.ts'
import { panelFramesStrings } from '@/lib/strings/panel-frames.ts'
import { panelsStrings } from '@/lib/strings/panels.ts'

/** In ms. The present text is saved as a version first, but restoring waits no longer than this: it can be undone. */
const SAVE_TIMEOUT_MS = 3_000

export function useRestoreVersion(document: string, opened: OpenDocument, isLinked: boolean) {
  const [isBusy, setBusy] = useState(false)
  const saveVersion = useSaveVersion(document, opened)
  const { language } = useSettings()

  const restore = async (version: VersionEntry, text: Y.Doc): Promise<void> => {
    setBusy(true)
    if (isLinked)
      await Promise.race([saveVersion.mutateAsync(null).catch(() => undefined), delay(SAVE_TIMEOUT_MS)])
    setBusy(false)
    const { takeBack } = runUndoable(
      undoOf(opened, panelsStrings.entries.history.name),
      historyStrings.restored.step,
      () => restoreVersion(opened.doc, text),
    )
    const restored =
      version.name === null
        ? historyStrings.restored.unnamed(versionTimeText(version, language))
        : historyStrings.restored.named(version.name)
    toast(restored, { action: { label: panelFramesStrings.undo, onClick: takeBack } })
  }
  return { restore, isBusy }
}

/** One place is less than a version: Undo brings it back, and nothing is saved before. */
export function restoreOnePlace(opened: OpenDocument, version: Y.Doc, place: ChangedPlace): void {
  const { takeBack } = runUndoable(
    undoOf(opened, panelsStrings.entries.history.name),
    historyStrings.restored.placeStep,
    () => restorePlace(opened.doc, version, place),
  )
  toast(historyStrings.restored.place, { action: { label: panelFramesStrings.undo, onClick: takeBack } })
}

const delay = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
