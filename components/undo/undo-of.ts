/** The undo of the documents that this page has open: one each, whichever part of the page asks first. */
import { Undo } from '@/lib/undo/undo.ts'
import type { OpenDocument } from '@/lib/client.ts'

const known = new WeakMap<OpenDocument['doc'], Undo>()

/** @param windowLabel What this window is, in words: "Outline". '' for a text. Counts at the first call. */
export function undoOf({ doc, undoNotes }: Pick<OpenDocument, 'doc' | 'undoNotes'>, windowLabel = ''): Undo {
  const found = known.get(doc)
  if (found) return found
  const made = new Undo({
    body: doc.getXmlFragment('default'),
    title: doc.getText('title'),
    notes: undoNotes,
    windowLabel,
  })
  known.set(doc, made)
  return made
}
