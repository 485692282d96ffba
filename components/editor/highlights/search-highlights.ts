/** Highlights the matches of the search in this window. */
import type { OpenDocument } from '@/lib/client.ts'
import { rangeOfMatch } from '@/lib/text/search-match.ts'
import { shownMatchesOf } from '@/components/panels/find/shown-matches.ts'
import type { Highlight, HighlightSource } from './highlights.ts'

/** More would colour the whole page, and cost time at each key press. */
const MAX_HIGHLIGHTS = 1_000

export function searchHighlights(opened: OpenDocument): HighlightSource {
  const { getState, subscribe } = shownMatchesOf(opened)
  const get = (): Highlight[] => {
    const { matches, current } = getState()
    const first = Math.max(0, Math.min((current ?? 0) - MAX_HIGHLIGHTS / 2, matches.length - MAX_HIGHLIGHTS))
    return matches.slice(first, first + MAX_HIGHLIGHTS).map((match, index): Highlight => ({
      ...rangeOfMatch(match),
      id: String(first + index),
      className: first + index === current ? 'found-mark found-mark-current' : 'found-mark',
      expectedText: match.text,
    }))
  }
  return { get, subscribe }
}
