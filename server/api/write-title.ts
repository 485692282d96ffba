import type * as Y from 'yjs'

/** The title's root in the body. Its projection in SQL follows after the commit. */
export function writeTitle(doc: Y.Doc, title: string): void {
  const text = doc.getText('title')
  if (text.toJSON() === title) return
  text.delete(0, text.length)
  text.insert(0, title)
}
