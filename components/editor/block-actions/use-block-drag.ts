'use client'

import type { Editor } from '@tiptap/react'
import { useEffect, useRef, useState, type PointerEvent as ReactPointerEvent } from 'react'
import { moveBlocksTo } from './block-commands.ts'
import { blocksAtHeight, dropLineAt, isInUpperHalf } from './block-geometry.ts'
import { blockRangeOf } from './block-range.ts'
import { canMoveTo } from './edit-blocks.ts'

/** How far a pointer moves, in CSS pixels, before a press becomes a drag. */
const DRAG_THRESHOLD = 5

/** Near an edge of the window, in CSS pixels, a drag scrolls. */
const SCROLL_EDGE = 60

type DropLine = ReturnType<typeof dropLineAt>

interface Drop {
  readonly target: number
  readonly line: DropLine
}

/**
 * Drags the selected blocks by their handle. Escape cancels the drag. What others write meanwhile moves the text below the pointer: what is
 * dragged and where it goes are found anew at each move, and at the drop.
 *
 * @param onStart Selects what is dragged.
 */
export function useBlockDrag(editor: Editor, onStart: () => void) {
  const [line, setLine] = useState<DropLine | null>(null)
  const active = useRef<AbortController | null>(null)
  /** The click that follows a drag opens no menu. */
  const hasDragged = useRef(false)
  useEffect(() => () => active.current?.abort(), [])

  const onPointerDown = ({ button, clientY: startY, pointerId }: ReactPointerEvent) => {
    hasDragged.current = false
    if (button !== 0) return
    const stop = new AbortController()
    active.current = stop
    const end = () => {
      stop.abort()
      setLine(null)
    }
    const onMove = (event: PointerEvent) => {
      if (event.pointerId !== pointerId) return
      if (!hasDragged.current && Math.abs(event.clientY - startY) < DRAG_THRESHOLD) return
      if (!hasDragged.current) onStart()
      hasDragged.current = true
      scrollNearEdge(event.clientY)
      setLine(dropAt(editor, event.clientY)?.line ?? null)
    }
    const onUp = (event: PointerEvent) => {
      if (event.pointerId !== pointerId) return
      const drop = hasDragged.current ? dropAt(editor, event.clientY) : null
      end()
      const range = blockRangeOf(editor.state.selection)
      if (drop && range) moveBlocksTo(editor, range, drop.target)
      if (hasDragged.current) editor.view.focus()
    }
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || !hasDragged.current) return
      event.preventDefault()
      event.stopPropagation()
      end()
    }
    const { signal } = stop
    addEventListener('pointermove', onMove, { signal })
    addEventListener('pointerup', onUp, { signal })
    addEventListener('pointercancel', end, { signal })
    addEventListener('keydown', onKeyDown, { signal, capture: true })
  }
  return { line, onPointerDown, hasDragged }
}

/** The nearest edge of a block that the dragged ones may stand at. */
function dropAt({ view, state }: Editor, y: number): Drop | null {
  const range = blockRangeOf(state.selection)
  if (!range) return null
  for (const block of blocksAtHeight(view, y)) {
    if (block.from >= range.from && block.to <= range.to) return null
    const target = isInUpperHalf(view, block, y) ? block.from : block.to
    if (canMoveTo(state.doc, range, target)) return { target, line: dropLineAt(view, block, target) }
    if (target === range.from || target === range.to) return null
  }
  return null
}

function scrollNearEdge(y: number): void {
  const by = y < SCROLL_EDGE ? y - SCROLL_EDGE : Math.max(0, y - innerHeight + SCROLL_EDGE)
  if (by !== 0) scrollBy({ top: by / 2 })
}
