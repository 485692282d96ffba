import { foldText } from '../../lib/protocol/fold-text.ts'

/** The limit in characters. Titles that are equal up to it are sorted by id. */
const MAX_KEY = 100

/** The last code point, in UTF-8, too: documents without a title come after all others. */
const NO_TITLE = '\u{10FFFF}'

/** Returns the key by which documents are sorted, compared by its bytes: the title without case and accents, its numbers by value. */
export const titleKey = (title: string): string =>
  foldText(title)
    .trim()
    .slice(0, MAX_KEY)
    .replaceAll(/[0-9]+/g, numberKey)
    .toWellFormed() || NO_TITLE

/** A number of more digits is larger, so their count comes first: one digit up to 8, then a 9 and three digits. */
function numberKey(written: string): string {
  const digits = written.replace(/^0+(?=.)/, '')
  const count = digits.length < 9 ? String(digits.length) : `9${String(digits.length).padStart(3, '0')}`
  return count + digits
}
