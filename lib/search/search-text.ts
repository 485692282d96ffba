/** Searches one text without an index, as a device does that has few of them. */
import { lettersOfTerm, type Passage, type SearchedText } from './passage.ts'
import { findTerms, firstLineOf, type Snippet, snippetOf, type TextRange } from './search-marks.ts'
import type { SearchTerm, SearchTerms } from './search-query.ts'

export interface TextMatch {
  readonly titleMarks: readonly TextRange[]
  readonly snippet: Snippet
}

/** Null for a text that lacks one of the terms. */
export function searchText({ title, passages }: SearchedText, terms: SearchTerms): TextMatch | null {
  const inTitle = findTerms(title, terms)
  const found = new Set<SearchTerm>(inTitle.found)
  let best: { readonly passage: string; readonly count: number } | null = null
  for (const passage of passages) {
    const inPassage = terms.filter((term) => hasTerm(passage, term))
    inPassage.forEach((term) => found.add(term))
    if (inPassage.length > (best?.count ?? 0)) best = { passage: passage.text, count: inPassage.length }
    if (inPassage.length === terms.length) break
  }
  if (found.size < terms.length) return null
  const snippet = best && snippetOf(best.passage, terms)
  return { titleMarks: inTitle.marks, snippet: snippet ?? firstLineOf(passages[0]?.text ?? '') }
}

/** As the server asks its index. */
const hasTerm = ({ tokens }: Passage, term: SearchTerm): boolean => tokens.includes(lettersOfTerm(term))
