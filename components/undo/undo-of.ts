/** The undo of the documents that this page has open: one each, whichever part of the page asks first. */
import { Undo } from '@/lib/undo/undo.ts'
import type { OpenDocument } from '@/lib/client.ts'

const known = new WeakMap<OpenDocument['doc'], Undo>()

/** @param where What this window is, in words: "Outline". '' for a text. Counts at the first call. */
export function undoOf({ doc, notes }: Pick<OpenDocument, 'doc' | 'notes'>, where = ''): Undo {
  const found = known.get(doc)
  if (found) return found
  const made = new Undo({ body: doc.getXmlFragment('default'), title: doc.getText('title'), notes, where })
  known.set(doc, made)
  return made
}
