'use client'

import { useEffect, useState } from 'react'
import type * as Y from 'yjs'
import { type YjsPosition, resolvePosition, type TextPosition } from '@/lib/following/text-position.ts'
import { textOfRange, linesOf } from '@/lib/text/lines.ts'
import { treeOf } from '@/lib/text/tree.ts'
import { useLoadedFollowing } from '@/components/following/following-context.ts'

/** The text selected in this window or in a linked one; '' if there is none. */
export function useSelectedText(): string {
  const context = useLoadedFollowing()
  const [text, setText] = useState('')
  useEffect(() => {
    if (!context) return
    // A surface that shows no text and only receives the selection.
    const { remove } = context.following.addSurface({
      readView: () => null,
      scrollTo: () => false,
      markSelection: (selection) => setText(selection ? textOfSelection(context.fragment, selection) : ''),
    })
    return remove
  }, [context])
  return text
}

function textOfSelection(fragment: Y.XmlFragment, { at, to = at }: TextPosition): string {
  const lines = linesOf(treeOf(fragment))
  const linePositionOf = (position: YjsPosition | null) =>
    position && 'toDelta' in position.type
      ? lines.linePositionOf({ type: position.type, index: position.index })
      : null
  const [from, end] = [
    linePositionOf(resolvePosition(fragment, at)),
    linePositionOf(resolvePosition(fragment, to)),
  ]
  return from && end ? textOfRange(lines, { from, to: end }) : ''
}
