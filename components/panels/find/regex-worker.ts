/** Searches by a regular expression apart from the page: one may take for ever, and a worker can be stopped. */
import { findIn, type Found, patternOf, type Query } from '@/lib/text/find.ts'

export interface Asked {
  readonly run: number
  readonly texts: readonly string[]
  readonly query: Query
}

/** The first message has no answer in it: it says that the worker is there. */
export interface Answered {
  readonly run: number
  readonly found?: Found
}

addEventListener('message', ({ data: { run, texts, query } }: MessageEvent<Asked>) => {
  const pattern = patternOf(query)
  if (pattern) answer({ run, found: findIn(texts, pattern) })
})

const answer = (answered: Answered): void => postMessage(answered)

answer({ run: 0 })
