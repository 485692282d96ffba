'use client'

import type { Editor, EditorEvents } from '@tiptap/react'
import { useEffect, useState } from 'react'
import { blocksAtHeight } from './block-geometry.ts'
import type { BlockRange } from './block-range.ts'

/** The space in px beside the text in which the pointer still points at its blocks. */
const GUTTER = 56

/** The innermost block beside or below the pointer of a mouse. Null after an edit until the pointer moves again. */
export function usePointedBlock(editor: Editor): BlockRange | null {
  const [pointed, setPointed] = useState<BlockRange | null>(null)
  useEffect(() => {
    const stop = new AbortController()
    let isWaiting = false
    const point = ({ clientX: x, clientY: y, target }: PointerEvent) => {
      isWaiting = false
      if (editor.isDestroyed) return
      const { left, right, top, bottom } = editor.view.dom.getBoundingClientRect()
      const isBeside = x > left - GUTTER && x < right && y > top && y < bottom
      const isCovered = target instanceof Element && target.closest('header, [role=menu], [role=dialog]')
      const next = (isBeside && !isCovered && blocksAtHeight(editor.view, y)[0]) || null
      setPointed((now) => (now?.from === next?.from && now?.to === next?.to ? now : next))
    }
    const onMove = (event: PointerEvent) => {
      if (event.pointerType !== 'mouse' || event.buttons !== 0 || isWaiting) return
      isWaiting = true
      requestAnimationFrame(() => point(event))
    }
    const onTransaction = ({ transaction }: EditorEvents['transaction']) => {
      if (transaction.docChanged) setPointed(null)
    }
    addEventListener('pointermove', onMove, { passive: true, signal: stop.signal })
    editor.on('transaction', onTransaction)
    return () => {
      stop.abort()
      editor.off('transaction', onTransaction)
    }
  }, [editor])
  return pointed
}
