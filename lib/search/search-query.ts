/**
 * Reads what a person types as tokens alone: words, phrases in quotation marks, and the last word as the beginning of one. Nothing else of it
 * reaches a database, so there are no operators to escape.
 */
import { searchStrings } from '../strings/search.ts'
import { type SearchToken, tokensOf } from './search-tokens.ts'

/** Tokens that follow each other in one line. */
export interface SearchTerm {
  readonly tokens: readonly string[]
  /** Whether the last token may go on. */
  readonly isPrefix: boolean
}

export type SearchTerms = readonly SearchTerm[]

/** In UTF-16 units. */
const MAX_QUERY_LENGTH = 200
const MAX_QUERY_TOKENS = 32

export class BadQuery extends Error {
  override readonly name = 'BadQuery'
}

/** @throws {BadQuery} with a sentence, for a query that is too long or holds no word. What is repeated counts once. */
export function readSearchQuery(text: string): SearchTerms {
  if (text.length > MAX_QUERY_LENGTH) throw new BadQuery(searchStrings.tooLong(MAX_QUERY_LENGTH))
  const terms = [...termsIn(text)]
  if (terms.length === 0) throw new BadQuery(searchStrings.noWord)
  if (terms.reduce((sum, { tokens }) => sum + tokens.length, 0) > MAX_QUERY_TOKENS)
    throw new BadQuery(searchStrings.tooManyWords(MAX_QUERY_TOKENS))
  return [...new Map(terms.map((term) => [JSON.stringify(term), term])).values()]
}

const pieces = /["“”„«»](?<phrase>[^"“”„«»]*)(?<end>["“”„«»])?|[^\s"“”„«»]+/gu

function* termsIn(text: string): Generator<SearchTerm, void, undefined> {
  for (const { 0: piece, index, groups } of text.matchAll(pieces)) {
    const isLast = index + piece.length === text.length && groups?.['end'] === undefined
    const term = termOf([...tokensOf(groups?.['phrase'] ?? piece)], isLast)
    if (term) yield term
  }
}

/** A single letter begins too many words, but a single character of a script without spaces is a word, or half of one. */
function termOf(found: readonly SearchToken[], isLast: boolean): SearchTerm | null {
  const tokens = withoutLastOfRun(found)
  const last = tokens.at(-1)
  if (!last) return null
  const isSingle = last.isPair && last !== found.at(-2)
  return {
    tokens: tokens.map(({ text }) => text),
    isPrefix: isSingle || (isLast && (last.isPair || last.text.length > 1)),
  }
}

/** In a text another character may follow, and then no token is the last character alone. */
function withoutLastOfRun(tokens: readonly SearchToken[]): readonly SearchToken[] {
  const [before, last] = tokens.slice(-2)
  return before?.isPair && last?.isPair && before.to === last.to ? tokens.slice(0, -1) : tokens
}
