/**
 * Finds matches in the lines of a text. Pure, and with strings alone: a long search runs in a worker, which has no shared text. A regular
 * expression sees one line at a time, so `^` and `$` match its ends.
 */
import type { SearchMatch } from './search-match.ts'
import { searchProblemsStrings } from '../strings/search-problems.ts'

export interface SearchQuery {
  readonly text: string
  readonly matchCase: boolean
  readonly wholeWords: boolean
  readonly regularExpression: boolean
}

export interface SearchResult {
  readonly matches: readonly SearchMatch[]
  /** False where there are more matches than were asked for. */
  readonly complete: boolean
}

const MAX_MATCHES = 10_000
/** Nobody looks for a longer text, and a long alternation costs much to compile. */
const MAX_QUERY_LENGTH = 1_000

/** Returns null for an empty query. @throws {SyntaxError} with a sentence for a person. */
export function patternOf({ text, matchCase, wholeWords, regularExpression }: SearchQuery): RegExp | null {
  if (text === '') return null
  if (text.length > MAX_QUERY_LENGTH) throw new SyntaxError(searchProblemsStrings.tooLong(MAX_QUERY_LENGTH))
  const source = regularExpression ? validateExpression(text) : text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
  return new RegExp(wholeWords ? asWholeWords(source) : source, matchCase ? 'gmu' : 'gimu')
}

/** Validates the source by itself: what it lacks might be supplied by the characters around it. */
function validateExpression(source: string): string {
  try {
    return new RegExp(source, 'u').source
  } catch (error) {
    throw new SyntaxError(searchProblemsStrings.notRegularExpression(reasonOf(error)), { cause: error })
  }
}

/** "Invalid regular expression: /(/u: Unterminated group" */
const reasonOf = (error: unknown): string =>
  error instanceof Error
    ? (/: ([^:]+)$/.exec(error.message)?.[1] ?? error.message).toLowerCase()
    : searchProblemsStrings.unreadable

const wordCharacter = '[\\p{L}\\p{M}\\p{N}_]'

const asWholeWords = (source: string): string => `(?<!${wordCharacter})(?:${source})(?!${wordCharacter})`

/** Empty matches do not count. */
export function findMatches(texts: readonly string[], pattern: RegExp, limit = MAX_MATCHES): SearchResult {
  const matches: SearchMatch[] = []
  for (const [line, text] of texts.entries()) {
    for (const match of text.matchAll(pattern)) {
      if (match[0] === '') continue
      if (matches.length === limit) return { matches, complete: false }
      const { 0: letters, index: offset, groups } = match
      matches.push({ line, offset, text: letters, caught: match.slice(1), named: { ...groups } })
    }
  }
  return { matches, complete: true }
}

/**
 * The text that replaces a match. With a regular expression `$1` to `$99`, `$<name>` and `$&` stand for captures, and `$$` for a dollar;
 * a reference to a missing capture stays as it is written.
 */
export function replacementOf(match: SearchMatch, template: string, regularExpression: boolean): string {
  if (!regularExpression) return template
  return template.replace(/\$(?:\$|&|<([^>]*)>|(\d\d?))/g, (sign, name?: string, digits?: string) => {
    if (sign === '$$') return '$'
    if (sign === '$&') return match.text
    if (name !== undefined) return Object.hasOwn(match.named, name) ? (match.named[name] ?? '') : sign
    return captureAt(match.caught, digits ?? '') ?? sign
  })
}

/** `$12` is the twelfth capture where there are that many, else the first and a 2. */
function captureAt(captures: SearchMatch['caught'], digits: string): string | null {
  const at = Number(digits)
  if (at >= 1 && at <= captures.length) return captures[at - 1] ?? ''
  const [first = '', rest] = digits
  return rest === undefined || Number(first) < 1 || Number(first) > captures.length
    ? null
    : (captures[Number(first) - 1] ?? '') + rest
}
