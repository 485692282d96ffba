'use client'

import type { Editor } from '@tiptap/react'
import { RefreshCw, TriangleAlert } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import type { OpenDocument } from '@/lib/client.ts'
import { Button } from '@/components/ui/button.tsx'
import { CopyTextButton } from './copy-text-button.tsx'
import { isBound } from '../text-editor.tsx'
import { useStatus } from '../use-document.ts'
import { strings } from '@/lib/strings/save-state.ts'

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
  return isStopped ? <StoppedNotice opened={opened} /> : null
}

function StoppedNotice({ opened }: Pick<StoppedBannerProps, 'opened'>) {
  const { unsaved, unstored } = useStatus(opened)
  return (
    <div
      role="alert"
      data-screen-only
      className="sticky bottom-3 z-30 mx-auto my-3 flex max-w-xl flex-wrap items-center gap-3 rounded-xl border border-line bg-raised px-4 py-3 text-sm shadow-float"
    >
      <TriangleAlert size={18} aria-hidden className="shrink-0 text-danger" />
      <p className="min-w-48 flex-1">
        <strong className="font-medium">{strings.stopped.title}</strong> {strings.stopped.hint}{' '}
        {savedWhereSentence(unsaved, unstored)}
      </p>
      {unstored > 0 && <CopyTextButton doc={opened.doc} />}
      <Button shape="small" onClick={() => location.reload()}>
        <RefreshCw size={14} aria-hidden /> {strings.stopped.reload}
      </Button>
    </div>
  )
}

function savedWhereSentence(unsaved: number, unstored: number): string {
  if (unstored > 0) return strings.stopped.notSaved
  return unsaved > 0 ? strings.stopped.onDevice : strings.stopped.saved
}
