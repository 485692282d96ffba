/** Finds where a text has the terms of a search, and cuts the piece that a list shows: ranges and letters, and no HTML. */
import type { SearchTerm, SearchTerms } from './search-query.ts'
import { type SearchToken, tokensOf } from './search-tokens.ts'

export interface TextRange {
  readonly from: number
  readonly to: number
}

export interface Snippet {
  readonly text: string
  /** In UTF-16 units of `text`, in order, none within another. */
  readonly marks: readonly TextRange[]
}

/** The ranges of all terms in a line, and which of the terms were found. */
export function findTerms(
  line: string,
  terms: SearchTerms,
): { marks: TextRange[]; found: ReadonlySet<SearchTerm> } {
  const tokens = [...tokensOf(line)]
  const found = new Set<SearchTerm>()
  const ranges: TextRange[] = []
  for (let at = 0; at < tokens.length; at++)
    for (const term of terms) {
      const range = rangeOfTerm(tokens, at, term)
      if (!range) continue
      found.add(term)
      ranges.push(range)
    }
  return { marks: mergeRanges(ranges), found }
}

function rangeOfTerm(
  tokens: readonly SearchToken[],
  at: number,
  { tokens: wanted, isPrefix }: SearchTerm,
): TextRange | null {
  const last = wanted.length - 1
  const isFound = wanted.every((text, index) => {
    const token = tokens[at + index]?.text
    return token === text || (isPrefix && index === last && token !== undefined && token.startsWith(text))
  })
  return isFound ? { from: tokens[at]!.from, to: endOfToken(tokens, at + last, wanted[last]!) } : null
}

/** Where somebody searches for the first character of a pair, the second one is not marked. */
function endOfToken(tokens: readonly SearchToken[], at: number, wanted: string): number {
  const { text, to, isPair } = tokens[at]!
  const next = tokens[at + 1]
  return isPair && wanted.length < text.length && next ? Math.min(to, next.from) : to
}

function mergeRanges(ranges: readonly TextRange[]): TextRange[] {
  const merged: TextRange[] = []
  for (const range of ranges.toSorted((a, b) => a.from - b.from)) {
    const last = merged.at(-1)
    if (last && range.from <= last.to)
      merged[merged.length - 1] = { from: last.from, to: Math.max(last.to, range.to) }
    else merged.push(range)
  }
  return merged
}

const SNIPPET_LENGTH = 180
/** How much of it stands before the first mark. */
const LEAD_LENGTH = 50

/** The best line of a passage, cut to what a list shows. Null where no line has any of the terms. */
export function snippetOf(passage: string, terms: SearchTerms): Snippet | null {
  let best: { readonly line: string; readonly marks: TextRange[]; readonly count: number } | null = null
  for (const line of passage.split('\n')) {
    const { marks, found } = findTerms(line, terms)
    if (found.size > (best?.count ?? 0)) best = { line, marks, count: found.size }
    if (found.size === terms.length) break
  }
  return best && cutSnippet(best.line, best.marks)
}

/** The beginning of a text, where nothing in it is marked. */
export const firstLineOf = (passage: string): Snippet =>
  cutSnippet(passage.trimStart().split('\n')[0] ?? '', [])

function cutSnippet(line: string, marks: readonly TextRange[]): Snippet {
  const first = marks[0]?.from ?? 0
  const from =
    line.length <= SNIPPET_LENGTH || first <= LEAD_LENGTH ? 0 : startOfWord(line, first - LEAD_LENGTH)
  const to = Math.min(line.length, from + SNIPPET_LENGTH)
  const [before, after] = [from > 0 ? '…' : '', to < line.length ? '…' : '']
  const shift = before.length - from
  return {
    text: (before + line.slice(from, to) + after).toWellFormed(),
    marks: marks
      .filter((mark) => mark.from < to)
      .map((mark) => ({ from: mark.from + shift, to: Math.min(mark.to, to) + shift })),
  }
}

/** A word is not cut where a blank is near. */
function startOfWord(line: string, at: number): number {
  const blank = line.indexOf(' ', at)
  return blank !== -1 && blank < at + LEAD_LENGTH / 2 ? blank + 1 : at
}
