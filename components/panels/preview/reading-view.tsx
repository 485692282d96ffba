'use client'

import { memo, useDeferredValue, useRef, useState } from 'react'
import type { Chunk } from '@/lib/text/chunks.ts'
import { useFollowedText } from '@/components/following/context'
import { TextMap } from '@/components/following/text-map'
import { ReadBlock } from './read-block'
import { strings } from '@/lib/strings/preview.ts'

interface ViewProps {
  readonly title: string
  readonly chunks: readonly Chunk[]
}

/** How many pieces are drawn at once when the view appears: some screens of text. The rest follows without keeping anybody waiting. */
const AT_ONCE = 8

export function ReadingView({ title, chunks }: ViewProps) {
  const container = useRef<HTMLDivElement>(null)
  const [map] = useState(() => new TextMap())
  useFollowedText(container, map)
  const drawn = useDeferredValue(chunks, chunks.slice(0, AT_ONCE))
  const shown = isLittle(chunks, drawn) ? chunks : drawn
  const isEmpty = chunks.every(({ blocks }) => blocks.length === 0)
  return (
    <article className="text-column pt-4">
      <p dir="auto" className="title-field mb-6">
        {title}
      </p>
      {isEmpty && <p className="text-muted">{strings.empty}</p>}
      <div ref={container} className="text">
        {shown.map((chunk) => (
          <ReadChunk key={chunk.id} chunk={chunk} map={map} />
        ))}
      </div>
    </article>
  )
}

/** A letter typed elsewhere is seen in the next frame; a long text that comes in is drawn meanwhile. */
function isLittle(chunks: readonly Chunk[], drawn: readonly Chunk[]): boolean {
  const known = new Set(drawn)
  return chunks.filter((chunk) => !known.has(chunk)).length <= AT_ONCE
}

/** What is off screen costs no layout; its height is a guess until it was seen. */
const ReadChunk = memo(function ReadChunk({ chunk: { blocks }, map }: { chunk: Chunk; map: TextMap }) {
  return (
    <div
      className="text-part [content-visibility:auto]"
      style={{ containIntrinsicBlockSize: `auto ${blocks.length * 4}rem` }}
    >
      {blocks.map((block) => (
        <ReadBlock key={block.id} block={block} map={map} />
      ))}
    </div>
  )
})
