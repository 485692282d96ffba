'use client'

import { memo, useDeferredValue, useRef, useState } from 'react'
import type { Chunk } from '@/lib/text/chunks.ts'
import { useFollowedText } from '@/components/following/use-followed-text.ts'
import { TextElementMap } from '@/components/following/text-element-map.ts'
import { ReadOnlyBlock } from './read-only-block.tsx'
import { previewStrings } from '@/lib/strings/preview.ts'

interface ReadingViewProps {
  readonly title: string
  readonly chunks: readonly Chunk[]
}

/** How many chunks are drawn at once when the view appears: some screens of text. The rest follows without blocking input. */
const MAX_CHUNKS_AT_ONCE = 8

export function ReadingView({ title, chunks }: ReadingViewProps) {
  const container = useRef<HTMLDivElement>(null)
  const [map] = useState(() => new TextElementMap())
  useFollowedText(container, map)
  const deferredChunks = useDeferredValue(chunks, chunks.slice(0, MAX_CHUNKS_AT_ONCE))
  const shown = isSmallChange(chunks, deferredChunks) ? chunks : deferredChunks
  const isEmpty = chunks.every(({ blocks }) => blocks.length === 0)
  return (
    <article className="text-column pt-4">
      <p dir="auto" className="title-field mb-6">
        {title}
      </p>
      {isEmpty && <p className="text-muted">{previewStrings.empty}</p>}
      <div ref={container} className="text">
        {shown.map((chunk) => (
          <ReadOnlyChunk key={chunk.id} chunk={chunk} map={map} />
        ))}
      </div>
    </article>
  )
}

/** A letter typed elsewhere appears in the next frame; a long text that arrives is drawn in the background. */
function isSmallChange(chunks: readonly Chunk[], deferredChunks: readonly Chunk[]): boolean {
  const drawnChunks = new Set(deferredChunks)
  return chunks.filter((chunk) => !drawnChunks.has(chunk)).length <= MAX_CHUNKS_AT_ONCE
}

/** Costs no layout while off screen; its height is an estimate until it has been drawn. */
const ReadOnlyChunk = memo(function ReadOnlyChunk({
  chunk: { blocks },
  map,
}: {
  chunk: Chunk
  map: TextElementMap
}) {
  return (
    <div
      className="text-part [content-visibility:auto]"
      style={{ containIntrinsicBlockSize: `auto ${blocks.length * 4}rem` }}
    >
      {blocks.map((block) => (
        <ReadOnlyBlock key={block.id} block={block} map={map} />
      ))}
    </div>
  )
})
