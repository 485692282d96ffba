import type { OpenDocument } from '@/lib/client.ts'
import { Finder } from '@/lib/text/finder.ts'
import { searchHere } from './search-here'

const known = new WeakMap<OpenDocument, Finder>()

/** One for each document of this window: its panel asks, its editor marks what was found. */
export function finderOf(opened: OpenDocument): Finder {
  const before = known.get(opened)
  if (before) return before
  const finder = new Finder(opened.doc.getXmlFragment('default'), searchHere)
  known.set(opened, finder)
  return finder
}
