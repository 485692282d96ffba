import { codeLanguageNamed } from '@/lib/blocks/code-block/code-languages.ts'
import { codeBlockStrings } from '@/lib/strings/code-block.ts'

/** A language that is not on the list has the name that somebody wrote. */
export const codeLanguageName = (word: string | null): string =>
  word === null ? codeBlockStrings.plainText : (codeLanguageNamed(word)?.name ?? word)

/** The numbers of the lines, one below the other. */
export function lineNumbersOf(code: string): string {
  let count = 1
  for (let at = code.indexOf('\n'); at !== -1; at = code.indexOf('\n', at + 1)) count++
  return Array.from({ length: count }, (_, index) => index + 1).join('\n')
}
