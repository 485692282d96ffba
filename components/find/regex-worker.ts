/** Searches by a regular expression in a worker: a search may take for ever, and a worker can be stopped. */
import { findMatches, type SearchResult, patternOf, type SearchQuery } from '@/lib/text/find.ts'

export interface RegexSearchRequest {
  readonly run: number
  readonly texts: readonly string[]
  readonly query: SearchQuery
}

/** The first message has no result in it: it says that the worker is ready. */
export interface RegexSearchResponse {
  readonly run: number
  readonly found?: SearchResult
}

addEventListener('message', ({ data: { run, texts, query } }: MessageEvent<RegexSearchRequest>) => {
  const pattern = patternOf(query)
  if (pattern) postResponse({ run, found: findMatches(texts, pattern) })
})

const postResponse = (response: RegexSearchResponse): void => postMessage(response)

postResponse({ run: 0 })
