import * as Y from 'yjs'
import { firstItemOf } from '../../lib/yjs-internals/shared-type.ts'

/** A title may hold as many deletions as a text has room for. */
const MAX_ITEMS = 10_000

/** Returns the first letters of a text without reading the rest. */
export function firstLettersOf(text: Y.Text, maxLetters: number): string {
  let letters = ''
  let item = firstItemOf(text)
  for (let items = 0; item && items < MAX_ITEMS && letters.length < maxLetters; items++) {
    if (!item.deleted && item.content instanceof Y.ContentString) letters += item.content.str
    item = item.right
  }
  return letters.slice(0, maxLetters)
}
