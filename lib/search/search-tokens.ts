/**
 * The tokens by which texts are found, on a server and on a device alike: words without case and accents, and pairs of characters where a
 * script puts no spaces between words. A token is of letters and digits alone, so it can hold no syntax of a database. It is our own code
 * because `Intl.Segmenter` differs from engine to engine, and takes a hundred times as long.
 */

export interface SearchToken {
  readonly text: string
  /** The token begins here in the text, in UTF-16 units. */
  readonly from: number
  readonly to: number
  /** Whether its script has no spaces: it is two characters then, or the last one of a run. */
  readonly isPair: boolean
}

/** A token has so many UTF-16 units at most: a longer word is found by its beginning. */
export const MAX_TOKEN_LENGTH = 64

const spacelessScripts = ['Han', 'Hira', 'Kana', 'Bopo', 'Thai', 'Laoo', 'Khmr', 'Mymr']
const spaceless = `[${spacelessScripts.map((script) => `\\p{scx=${script}}`).join('')}]`

/** A run of a script without spaces, or a word of another one. */
const runPattern = new RegExp(
  `(?<spaceless>(?:(?=${spaceless})[\\p{L}\\p{N}]\\p{M}*)+)|(?:(?!${spaceless})[\\p{L}\\p{N}]\\p{M}*)+`,
  'gu',
)
const characterPattern = /[\p{L}\p{N}]\p{M}*/gu

export function* tokensOf(text: string): Generator<SearchToken, void, undefined> {
  for (const match of text.matchAll(runPattern)) {
    const { 0: run, index: from, groups } = match
    if (groups?.['spaceless']) yield* pairsOf(run, from)
    else yield { text: foldWord(run), from, to: from + run.length, isPair: false }
  }
}

/** The last character stands by itself, so that each one is the beginning of a token. */
function* pairsOf(run: string, start: number): Generator<SearchToken, void, undefined> {
  let before: { readonly text: string; readonly from: number } | undefined
  for (const { 0: character, index } of run.matchAll(characterPattern)) {
    const [text, from] = [foldWord(character), start + index]
    if (before)
      yield {
        text: cutToken(before.text + text),
        from: before.from,
        to: from + character.length,
        isPair: true,
      }
    before = { text, from }
  }
  if (before) yield { ...before, to: start + run.length, isPair: true }
}

/** Accents of Latin, Greek and Cyrillic, points of Hebrew, vowel signs and the long stroke of Arabic. Other scripts need their marks. */
const foldedMarks =
  /\u0640|[\u0300-\u036f]|[\u0591-\u05bd]|[\u05bf-\u05c7]|[\u0610-\u061a]|[\u064b-\u065f]|\u0670|[\u06d6-\u06ed]/g

const singleLetters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ı: 'i',
  ς: 'σ',
}
const singleLetterPattern = new RegExp(`[${Object.keys(singleLetters).join('')}]`, 'g')

/** Folding leaves these words as they are: most of what is written in these scripts. */
const foldedWord = /^(?:[a-z0-9]*|[\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff])$/

function foldWord(word: string): string {
  const lower = word.toLowerCase()
  if (foldedWord.test(lower)) return cutToken(lower)
  const folded = word
    .normalize('NFKD')
    .replaceAll(foldedMarks, '')
    .toLowerCase()
    .replaceAll(foldedMarks, '')
    .replaceAll(singleLetterPattern, (letter) => singleLetters[letter]!)
    // Compatibility forms bring signs along: a vulgar fraction has a slash in it.
    .replaceAll(/[^\p{L}\p{N}\p{M}]/gu, '')
  return cutToken(folded.normalize('NFC')) || cutToken(lower)
}

const cutToken = (token: string): string =>
  token.length > MAX_TOKEN_LENGTH ? token.slice(0, MAX_TOKEN_LENGTH).toWellFormed() : token
