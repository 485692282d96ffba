/** Keeps remote edits from moving what this window's person reads or writes. */
import type * as Y from 'yjs'
import type { EditorSurface } from './editor-surface.ts'

/**
 * Measures once before the first remote edit of a frame, and restores the scroll position before the next paint. Returns a function that
 * stops it.
 */
export function keepScrollAnchored(doc: Y.Doc, surface: EditorSurface): () => void {
  let restore: (() => void) | null = null
  let frame = 0
  const onTransaction = ({ local }: Y.Transaction) => {
    // The person's own edits may move the text.
    if (local) restore = null
    if (local || frame !== 0) return
    restore = surface.captureScrollAnchor()
    frame = requestAnimationFrame(() => {
      frame = 0
      restore?.()
      restore = null
    })
  }
  doc.on('beforeTransaction', onTransaction)
  return () => {
    doc.off('beforeTransaction', onTransaction)
    cancelAnimationFrame(frame)
  }
}
