import * as Y from 'yjs'

/** A title may be made of as many deletions as a text has room for. */
const MAX_ITEMS = 10_000

/** The first letters of a text, found without reading the rest of it. */
export function firstLettersOf(text: Y.Text, maxLetters: number): string {
  let letters = ''
  let item = text._start
  for (let items = 0; item && items < MAX_ITEMS && letters.length < maxLetters; items++) {
    if (!item.deleted && item.content instanceof Y.ContentString) letters += item.content.str
    item = item.right
  }
  return letters.slice(0, maxLetters)
}
