/** Others' edits do not move what this window's person reads or writes. */
import type * as Y from 'yjs'
import type { EditorSurface } from './editor-surface'

/** Looks once before the first of them that comes within a frame, and puts it right before the next is painted. Returns the undo. */
export function keepScrollAnchored(doc: Y.Doc, surface: EditorSurface): () => void {
  let restore: (() => void) | null = null
  let frame = 0
  const onTransaction = ({ local }: Y.Transaction) => {
    // What the person does themself may move the text.
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
