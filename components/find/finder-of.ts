import type { OpenDocument } from '@/lib/client.ts'
import { Finder } from '@/lib/text/finder.ts'
import { searchTexts } from './search-texts.ts'
import { shownMatchesOf } from './shown-matches.ts'

const finders = new WeakMap<OpenDocument, Finder>()

/** One finder for each document of this window: its panel searches, its editor highlights the matches. */
export function finderOf(opened: OpenDocument): Finder {
  const existing = finders.get(opened)
  if (existing) return existing
  const finder = new Finder(opened.doc.getXmlFragment('default'), searchTexts)
  finder.subscribe(() => {
    const { matches, current } = finder.get()
    shownMatchesOf(opened).setState({ matches, current })
  })
  finders.set(opened, finder)
  return finder
}
