import { expect, test } from 'vitest'
import { findMatches, patternOf, type SearchQuery, replacementOf } from './find.ts'

const query = (text: string, options: Partial<SearchQuery> = {}): SearchQuery => ({
  text,
  matchCase: false,
  wholeWords: false,
  regularExpression: false,
  ...options,
})

const regular = { regularExpression: true }

/** Writes each match as "line:offset text". */
const found = (lines: string[], text: string, options?: Partial<SearchQuery>) =>
  findMatches(lines, patternOf(query(text, options))!).matches.map(
    (match) => `${match.line}:${match.offset} ${match.text}`,
  )

test.each<[string, string, Partial<SearchQuery>, string[]]>([
  ['whatever its case', 'ADA', {}, ['0:0 Ada', '1:4 ada', '1:9 ADA']],
  ['case and all', 'Ada', { matchCase: true }, ['0:0 Ada']],
  ['signs are letters', '(a.b)', {}, ['2:0 (a.b)']],
  ['whole words', 'pass', { wholeWords: true }, ['3:0 pass', '3:22 Pass']],
  ['whole words that are no letters', '§ 4', { wholeWords: true }, ['4:0 § 4']],
  ['letters with marks are letters', 'na', { wholeWords: true }, []],
  ['a regular expression', 'a[dD]\\w', regular, ['0:0 Ada', '1:4 ada', '1:9 ADA']],
  ['the beginning of a line', '^pass', regular, ['3:0 pass']],
  ['the end of one', 'pass$', regular, ['3:22 Pass']],
  [
    'a regular expression of whole words',
    'pass|bypass',
    { ...regular, wholeWords: true },
    ['3:0 pass', '3:14 bypass', '3:22 Pass'],
  ],
  ['whatever is empty is no match', 'z*', regular, []],
  ['one sign for the eye is one for the expression', '^.b', regular, ['6:0 😀b']],
])('finds %s', (_title, text, options, expected) => {
  const lines = [
    'Ada',
    'and ada, ADA',
    '(a.b) a.b (axb)',
    'pass passport bypass, Pass',
    '§ 4',
    'naïve',
    '😀b',
  ]
  expect(found(lines, text, options)).toEqual(expected)
})

test('a letter whose other case is longer does not shift what comes after', () => {
  expect(found(['İstanbul, istanbul'], 'istanbul')).toEqual(['0:10 istanbul'])
})

test('an empty query finds nothing', () => {
  expect(patternOf(query(''))).toBeNull()
})

test.each([
  ['(', 'Invalid regular expression: unterminated group.'],
  ['[b-a]', 'Invalid regular expression: range out of order in character class.'],
  [')(', "Invalid regular expression: unmatched ')'."],
])('a wrong expression is explained in a sentence: %s', (text, sentence) => {
  expect(() => patternOf(query(text, regular))).toThrow(sentence)
  expect(() => patternOf(query(text, { ...regular, wholeWords: true }))).toThrow(sentence)
})

test('a query that is too long is explained in a sentence', () => {
  expect(() => patternOf(query('a'.repeat(1_001)))).toThrow('at most 1,000 characters')
})

test('at most as many are found as were asked for, and whether there are more', () => {
  const pattern = patternOf(query('a'))!
  expect(findMatches(['aaa', 'a'], pattern, 4)).toMatchObject({ complete: true, matches: { length: 4 } })
  expect(findMatches(['aaa', 'aa'], pattern, 4)).toMatchObject({ complete: false, matches: { length: 4 } })
})

test.each([
  ['$2 $1', 'world hello'],
  ['$<first>!', 'hello!'],
  ['[$&]', '[hello world]'],
  ['$$1', '$1'],
  ['$12', 'hello2'],
  ['$9 $0 $<none>', '$9 $0 $<none>'],
  ['$<constructor>', '$<constructor>'],
  ['$3.', '.'],
])('%s inserts what was captured', (template, expected) => {
  const [match] = findMatches(
    ['hello world'],
    patternOf(query('(?<first>\\w+) (\\w+)(x)?', regular))!,
  ).matches
  expect(replacementOf(match!, template, true)).toBe(expected)
  expect(replacementOf(match!, template, false)).toBe(template)
})
