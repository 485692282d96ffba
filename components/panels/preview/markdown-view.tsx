'use client'

import { memo, useDeferredValue, useRef } from 'react'
import type { Chunk } from '@/lib/text/chunks.ts'
import { markdownOf, markdownTitleOf } from '@/lib/text/markdown.ts'
import { CopyButton } from '@/components/ui/copy-button.tsx'
import { useCopy } from '@/components/ui/use-copy.ts'
import { previewStrings } from '@/lib/strings/preview.ts'

const noChunks: readonly Chunk[] = []

interface MarkdownViewProps {
  /** May be empty: then the source begins with the text. */
  readonly title: string
  readonly chunks: readonly Chunk[]
}

/** The Markdown source, to read and to copy. An unchanged chunk is neither written nor drawn again. */
export default function MarkdownView({ title, chunks }: MarkdownViewProps) {
  const titleSource = markdownTitleOf(title)
  const source = useRef<HTMLPreElement>(null)
  const shown = useDeferredValue(chunks, noChunks).filter((chunk) => sourceOf(chunk) !== '')
  return (
    <div className="mx-auto flex w-full max-w-4xl flex-col gap-3 px-3 pt-3 pb-8">
      <CopySource
        text={() => [titleSource, ...chunks.map(sourceOf)].filter(Boolean).join('\n')}
        source={source}
      />
      <pre
        ref={source}
        aria-label={previewStrings.source.label}
        className="rounded-lg border border-line bg-sunk p-4 font-mono text-[0.8125rem]/relaxed wrap-anywhere whitespace-pre-wrap empty:hidden"
      >
        {titleSource && <code className="block">{titleSource}</code>}
        {shown.map((chunk, at) => (
          <SourceChunk key={chunk.id} chunk={chunk} isFirst={at === 0 && !titleSource} />
        ))}
      </pre>
      {chunks.every(({ blocks }) => blocks.length === 0) && (
        <p className="text-muted">{previewStrings.empty}</p>
      )}
    </div>
  )
}

const cachedSources = new WeakMap<Chunk, string>()

function sourceOf(chunk: Chunk): string {
  const cached = cachedSources.get(chunk)
  if (cached !== undefined) return cached
  const source = markdownOf(chunk.blocks)
  cachedSources.set(chunk, source)
  return source
}

const SourceChunk = memo(function SourceChunk({ chunk, isFirst }: { chunk: Chunk; isFirst: boolean }) {
  const source = sourceOf(chunk)
  return <code className="block [content-visibility:auto]">{isFirst ? source : `\n${source}`}</code>
})

interface CopySourceProps {
  readonly text: () => string
  readonly source: { readonly current: HTMLElement | null }
}

/** Copies the source. If the clipboard is blocked, it selects and focuses the source for copying by keyboard. */
function CopySource({ text, source }: CopySourceProps) {
  const { outcome, copy } = useCopy(() => {
    if (source.current) getSelection()?.selectAllChildren(source.current)
  })
  return (
    <div className="flex items-center justify-end gap-3">
      <output className="text-sm text-muted">
        {outcome === 'selected' && previewStrings.source.selected}
        {outcome === 'copied' && <span className="sr-only">{previewStrings.source.copied}</span>}
      </output>
      <CopyButton
        shape="small"
        copied={outcome === 'copied'}
        onClick={() => void copy(text())}
        className="w-24"
      />
    </div>
  )
}
