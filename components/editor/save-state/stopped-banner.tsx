'use client'

import type { Editor } from '@tiptap/react'
import { useSyncExternalStore } from 'react'
import type { OpenDocument } from '@/lib/client.ts'
import { recoveryOf } from '@/components/binding/text-sync.ts'
import { EndedBanner } from './ended-banner.tsx'
import { saveStateStrings } from '@/lib/strings/save-state.ts'

const strings = saveStateStrings.stopped

interface StoppedBannerProps {
  readonly editor: Editor
  readonly opened: OpenDocument
}

const noRecovery = { state: 'current', subscribe: () => () => {} } as const

/** Says that an editor could not show a change and takes no more input: it would delete what it does not show (W9). */
export function StoppedBanner({ editor, opened }: StoppedBannerProps) {
  const recovery = recoveryOf(editor) ?? noRecovery
  const isStopped = useSyncExternalStore(
    recovery.subscribe,
    () => recovery.state === 'stopped',
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
