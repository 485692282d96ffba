/** Highlights the matches of the search in this window, or else in a Find window of the same person. */
import type { OpenDocument } from '@/lib/client.ts'
import { rangeOfMatch } from '@/lib/text/search-match.ts'
import { type LinkedSearch, openSearchChannel } from '@/components/find/search-channel.ts'
import { shownMatchesOf } from '@/components/find/shown-matches.ts'
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
  return {
    get,
    subscribe(listener) {
      const stops = [subscribe(listener), watchLinkedSearch(opened)]
      return () => stops.forEach((stop) => stop())
    },
  }
}

/** The code that searches is loaded once a Find window looks for something. */
function watchLinkedSearch(opened: OpenDocument): () => void {
  const channel = openSearchChannel(opened)
  channel.onmessage = async ({ data: search }: MessageEvent<LinkedSearch | null>) => {
    if (!search) return
    const { showLinkedSearch } = await import('@/components/find/linked-search.ts')
    showLinkedSearch(opened, search)
  }
  // A Find window that is open already answers.
  channel.postMessage(null)
  return () => channel.close()
}
