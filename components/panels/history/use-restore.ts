import { useState } from 'react'
import type * as Y from 'yjs'
import type { OpenDocument } from '@/lib/client.ts'
import type { VersionEntry } from '@/components/api'
import { useSettings } from '@/components/settings/use-settings'
import { toast } from '@/components/ui/toast'
import { restore as restoreText } from './restoring'
import { useKeepVersion } from './versions'
import { timeOf } from './words'

/** ms. The present text is kept as a version first, but not awaited for longer: restoring can be undone. */
const KEEP_MS = 3_000

export function useRestore(document: string, opened: OpenDocument, isLinked: boolean) {
  const [isBusy, setBusy] = useState(false)
  const keep = useKeepVersion(document, opened)
  const { language } = useSettings()

  const restore = async (version: VersionEntry, text: Y.Doc): Promise<void> => {
    setBusy(true)
    if (isLinked) await Promise.race([keep.mutateAsync(null).catch(() => undefined), elapsed(KEEP_MS)])
    const restored = restoreText(opened.doc, text)
    setBusy(false)
    toast(
      `Restored ${version.name === null ? `the version of ${timeOf(version, language)}` : `“${version.name}”`}.`,
      {
        action: { label: 'Undo', onClick: restored.undo },
        onAutoClose: restored.forget,
        onDismiss: restored.forget,
      },
    )
  }
  return { restore, isBusy }
}

const elapsed = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
