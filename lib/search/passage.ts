import type { SearchTerm } from './search-query.ts'

/** A piece of what is searched of a document. */
export interface Passage {
  /** Lines with `\n` between them. */
  readonly text: string
  /** The tokens of each line, with blanks around each and `LINE_END` between lines. */
  readonly tokens: string
}

/** A passage whose tokens have these letters has the term. */
export const lettersOfTerm = ({ tokens, isPrefix }: SearchTerm): string =>
  ` ${tokens.join(' ')}${isPrefix ? '' : ' '}`

export interface SearchedText {
  readonly title: string
  readonly passages: readonly Passage[]
}

/** What the index has of a document. */
export interface IndexableText extends SearchedText {
  /** The beginning of its text, for lists. */
  readonly preview: string
  /** Ids of the documents that its text leads to. */
  readonly links: readonly string[]
}

/** No token, so that no phrase goes on in the next line. */
export const LINE_END = '¶'
