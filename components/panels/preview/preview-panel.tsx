'use client'

import { useState } from 'react'
import { createChunker } from '@/lib/text/chunks.ts'
import { shownTitle } from '@/lib/strings/shown-title.ts'
import { useYText } from '@/components/opening/page-title.tsx'
import type { PanelProps } from '@/components/panels/panel-props.ts'
import { LazyComponent } from '@/components/ui/lazy-component.tsx'
import { useTextTree } from '@/components/binding/use-text-tree.ts'
import { ReadingView } from './reading-view.tsx'
import { panelFramesStrings } from '@/lib/strings/panel-frames.ts'
import { previewStrings } from '@/lib/strings/preview.ts'

/** Loaded on demand, because the Markdown writer is larger than the rest of the panel. */
const loadMarkdown = () => import('./markdown-view.tsx')

const views = [
  { id: 'reading', name: previewStrings.views.reading },
  { id: 'markdown', name: previewStrings.views.markdown },
] as const

export default function PreviewPanel({ opened }: PanelProps) {
  const [view, setView] = useState<(typeof views)[number]['id']>('reading')
  const [chunker] = useState(createChunker)
  const chunks = useTextTree(opened, chunker)
  const title = useYText(opened.doc.getText('title'))
  return (
    <>
      <fieldset aria-label={previewStrings.views.label} className="flex justify-end gap-1 px-3 pt-2 text-sm">
        {views.map(({ id, name }) => (
          <button
            key={id}
            type="button"
            aria-pressed={id === view}
            onClick={() => setView(id)}
            className="min-h-8 rounded-lg px-2.5 text-muted hover:bg-sunk aria-pressed:bg-sunk aria-pressed:font-medium aria-pressed:text-ink"
          >
            {name}
          </button>
        ))}
      </fieldset>
      {view === 'reading' ? (
        <ReadingView title={shownTitle(title)} chunks={chunks} />
      ) : (
        <LazyComponent
          load={loadMarkdown}
          props={{ title: title.trim(), chunks }}
          fallback={<p className="p-4 text-sm text-muted">{panelFramesStrings.loading}</p>}
          onLoadFailed={() => setView('reading')}
        />
      )}
    </>
  )
}
