import type * as Y from 'yjs'

/** Writes the title's root type in the body. The copy in SQL follows after the commit. */
export function writeTitle(doc: Y.Doc, title: string): void {
  const text = doc.getText('title')
  if (text.toJSON() === title) return
  text.delete(0, text.length)
  text.insert(0, title)
}
