/** The undo of the documents that this page has open: one for each, whichever component asks first. */
import { Undo } from '@/lib/undo/undo.ts'
import type { OpenDocument } from '@/lib/client.ts'

const undoByDoc = new WeakMap<OpenDocument['doc'], Undo>()

/** @param windowLabel What this window is, in words: "Outline". '' for a text. Only the first call's value counts. */
export function undoOf({ doc, undoNotes }: Pick<OpenDocument, 'doc' | 'undoNotes'>, windowLabel = ''): Undo {
  const existing = undoByDoc.get(doc)
  if (existing) return existing
  const created = new Undo({
    body: doc.getXmlFragment('default'),
    title: doc.getText('title'),
    notes: undoNotes,
    windowLabel,
  })
  undoByDoc.set(doc, created)
  return created
}
