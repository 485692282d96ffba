/** The names that people give themselves. A name identifies nobody: it only has to be readable wherever it stands. */
import { strings } from '../strings/names.ts'
import { plainName } from './link-caller.ts'

/** Characters, as Unicode counts them. */
export const MAX_DISPLAY_NAME = 40

/** Controls, lone surrogates, line ends, and letters that nobody sees; what joins the parts of an emoji or of a word is none of them. */
const UNREADABLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]|(?![\u200c\u200d])\p{Cf}/u

export const tidyName = (text: string): string => text.normalize('NFC').trim()

/** Why nobody can have this name, null where they can. Expects a tidy one. */
export function nameProblem(name: string): string | null {
  if (UNREADABLE.test(name)) return strings.problem.unreadable
  if (plainName(name.replaceAll(/[\u200c\u200d\p{M}]/gu, '')) === '') return strings.problem.noLetter
  const { length } = Array.from(name)
  return length <= MAX_DISPLAY_NAME ? null : strings.problem.tooLong(MAX_DISPLAY_NAME, length)
}
