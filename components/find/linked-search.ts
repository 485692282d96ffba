/** Searches in this window for what its person looks for in a Find window, so that the matches are marked here, too. */
import type { OpenDocument } from '@/lib/client.ts'
import type { SearchQuery } from '@/lib/text/find.ts'
import { Finder } from '@/lib/text/finder.ts'
import { finderOf } from './finder-of.ts'
import type { LinkedSearch } from './search-channel.ts'
import { searchTexts } from './search-texts.ts'
import { shownMatchesOf } from './shown-matches.ts'

const searches = new WeakMap<OpenDocument, (search: LinkedSearch) => void>()

export function showLinkedSearch(opened: OpenDocument, search: LinkedSearch): void {
  const show = searches.get(opened) ?? createLinkedSearch(opened)
  searches.set(opened, show)
  show(search)
}

function createLinkedSearch(opened: OpenDocument): (search: LinkedSearch) => void {
  const finder = new Finder(opened.doc.getXmlFragment('default'), searchTexts)
  const ownFinder = finderOf(opened)
  let current: number | null = null
  let stop: (() => void) | undefined
  // The search of this window's own panel goes first.
  const showMatches = (): void => {
    const own = ownFinder.get()
    const shown = own.matches.length > 0 ? own : { matches: finder.get().matches, current }
    shownMatchesOf(opened).setState({ matches: shown.matches, current: shown.current })
  }
  finder.subscribe(showMatches)
  ownFinder.subscribe(showMatches)
  return (search) => {
    current = search.current
    if (isSameQuery(search.query, finder.get().query)) return showMatches()
    if (search.query.text !== '') stop ??= finder.open()
    else {
      stop?.()
      stop = undefined
    }
    void finder.runQuery(search.query)
  }
}

const isSameQuery = (a: SearchQuery, b: SearchQuery): boolean =>
  a.text === b.text &&
  a.matchCase === b.matchCase &&
  a.wholeWords === b.wholeWords &&
  a.regularExpression === b.regularExpression
