/** The names that people give themselves. A name identifies nobody: it only has to be readable everywhere. */
import { namesStrings } from '../strings/names.ts'
import { plainName } from './link-caller.ts'

/** In characters, as Unicode counts them. */
export const MAX_DISPLAY_NAME = 40

/** Controls, lone surrogates, line ends, and invisible letters, but not the joiners within an emoji or a word. */
const UNREADABLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]|(?![\u200c\u200d])\p{Cf}/u

export const tidyName = (text: string): string => text.normalize('NFC').trim()

/** Returns why nobody can have this name, null if they can. Expects a tidy name. */
export function nameProblem(name: string): string | null {
  if (UNREADABLE.test(name)) return namesStrings.problem.unreadable
  if (plainName(name.replaceAll(/[\u200c\u200d\p{M}]/gu, '')) === '') return namesStrings.problem.noLetter
  const { length } = Array.from(name)
  return length <= MAX_DISPLAY_NAME ? null : namesStrings.problem.tooLong(MAX_DISPLAY_NAME, length)
}
