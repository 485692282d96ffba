'use client'

import type { Editor } from '@tiptap/react'
import { useSyncExternalStore } from 'react'
import type { OpenDocument } from '@/lib/client.ts'
import { isBound } from '../text-editor.tsx'
import { EndedBanner } from './ended-banner.tsx'
import { strings as saveStateStrings } from '@/lib/strings/save-state.ts'

const strings = saveStateStrings.stopped

interface StoppedBannerProps {
  readonly editor: Editor
  readonly opened: OpenDocument
}

/** A text that is only read is never stale. */
const noFence = { state: 'current', subscribe: () => () => {} } as const

/** Says that an editor could not show a change and takes no more input: it would delete what it does not show (W9). */
export function StoppedBanner({ editor, opened }: StoppedBannerProps) {
  const fence = isBound(editor) ? editor.storage.staleText.fence : noFence
  const isStopped = useSyncExternalStore(
    fence.subscribe,
    () => fence.state === 'stopped',
    () => false,
  )
  return isStopped ? (
    <EndedBanner
      title={strings.title}
      sentence={strings.hint}
      saved={strings.saved}
      notSaved={strings.notSaved}
      place="sticky my-3"
      opened={opened}
    />
  ) : null
}
