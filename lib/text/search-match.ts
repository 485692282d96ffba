import type { LineRange } from './lines.ts'

export interface SearchMatch {
  readonly line: number
  /** In UTF-16 units of the line. */
  readonly offset: number
  readonly text: string
  /** Where a line holds more than letters: what was found in the text that stands for it. */
  readonly found?: { readonly offset: number; readonly text: string }
  /** The captures of a regular expression, the first at 0; undefined for groups that captured nothing. */
  readonly caught: readonly (string | undefined)[]
  readonly named: Readonly<Record<string, string | undefined>>
}

export const rangeOfMatch = ({ line, offset, text }: SearchMatch): LineRange => ({
  from: { line, offset },
  to: { line, offset: offset + text.length },
})
