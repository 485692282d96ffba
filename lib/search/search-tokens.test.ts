import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findTerms, firstLineOf, snippetOf } from './search-marks.ts'
import { BadQuery, readSearchQuery } from './search-query.ts'
import { MAX_TOKEN_LENGTH, tokensOf } from './search-tokens.ts'

const textsOf = (text: string): string[] => [...tokensOf(text)].map((token) => token.text)

/** Returns the pieces of a text that a search marks. */
const marked = (text: string, query: string): string[] =>
  findTerms(text, readSearchQuery(query)).marks.map(({ from, to }) => text.slice(from, to))

const isFound = (text: string, query: string): boolean => {
  const terms = readSearchQuery(query)
  return findTerms(text, terms).found.size === terms.length
}

describe('tokens', () => {
  test.each([
    ['Hello, World 2026!', ['hello', 'world', '2026']],
    ['Müller straße', ['muller', 'strasse']],
    ['don’t e-mail', ['don', 't', 'e', 'mail']],
    ['ΟΔΥΣΣΕΎΣ Ёлка', ['οδυσσευσ', 'елка']],
    ['كِتَابٌ', ['كتاب']],
    ['שָׁלוֹם', ['שלום']],
    ['漢字表', ['漢字', '字表', '表']],
    ['ﬁle ＡＢＣ ½', ['file', 'abc', '12']],
    ['カー 2024年', ['カー', 'ー', '2024', '年']],
    ['ไปหา', ['ไป', 'ปห', 'หา', 'า']],
    ['한국어 조선', ['한국어', '조선']],
    ['हिन्दी', ['हिन्दी']],
    ['a_b 🎉 ()*"', ['a', 'b']],
  ])('%s', (text, tokens) => {
    expect(textsOf(text)).toEqual(tokens)
  })

  test('hold letters, marks and digits alone', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        for (const token of tokensOf(text)) {
          expect(token.text).toMatch(/^[\p{L}\p{N}\p{M}]+$/u)
          expect(token.text.length).toBeLessThanOrEqual(MAX_TOKEN_LENGTH)
          expect(token.to).toBeGreaterThan(token.from)
        }
      }),
    )
  })

  test('are the same for a text in another normal form', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (text) => {
        expect(textsOf(text.normalize('NFD'))).toEqual(textsOf(text.normalize('NFC')))
      }),
    )
  })
})

describe('a search', () => {
  test.each([
    ['two Chinese characters', '我们在北京大学学习', '北京', ['北京']],
    ['one Chinese character', '我们在北京大学学习', '京', ['京']],
    ['the last character of a run', '学习。', '习', ['习']],
    ['three Chinese characters', '我们在北京大学学习', '京大学', ['京大学']],
    ['two Japanese words', '東京でラーメンを食べた', '東京 ラーメン', ['東京', 'ラーメン']],
    ['half-width katakana', 'ﾗｰﾒﾝ', 'ラーメン', ['ﾗｰﾒﾝ']],
    ['Thai', 'ภาษาไทยง่ายมาก', 'ไทย', ['ไทย']],
    ['Lao', 'ພາສາລາວ', 'ລາວ', ['ລາວ']],
    ['Arabic with marks, searched without', 'قرأ الكِتَابَ كله', 'الكتاب', ['الكِتَابَ']],
    ['Arabic without marks, searched with', 'كتاب', 'كِتَاب', ['كتاب']],
    ['German with umlauts', 'Die Größe der Übung', 'grosse ubung', ['Größe', 'Übung']],
    ['umlauts by their letters', 'Die Größe der Übung', 'größe übung', ['Größe', 'Übung']],
    ['a beginning', 'Collaborative editing', 'edi', ['editing']],
    ['a phrase', 'big red dog, red big dog', '"red big"', ['red big']],
    ['a word and a script without spaces', 'iPhone用ケース', 'iphone用', ['iPhone用']],
    ['a word with a hyphen', 'an e-mail, no mail', 'e-mail', ['e-mail']],
  ])('finds %s', (_name, text, query, marks) => {
    expect(marked(text, query)).toEqual(marks)
    expect(isFound(text, query)).toBe(true)
  })

  test('does not find words out of order as a phrase, nor a beginning that is not the last word', () => {
    expect(isFound('big red dog', '"red big"')).toBe(false)
    expect(isFound('editing words', 'edi words')).toBe(false)
    expect(isFound('editing words', 'editing wor')).toBe(true)
    expect(isFound('an apple', 'a')).toBe(false)
    expect(isFound('a pear', 'a')).toBe(true)
    expect(isFound('北京', '京北')).toBe(false)
  })

  test.each(['', '   ', '"" () : ^ *', '-'.repeat(50)])('needs a word: %j', (query) => {
    expect(() => readSearchQuery(query)).toThrow('Type a word to search for.')
  })

  test('has limits, which are sentences', () => {
    expect(() => readSearchQuery('a'.repeat(1_000_000))).toThrow('Search for at most 200 characters.')
    expect(() => readSearchQuery('* '.repeat(10_000))).toThrow(BadQuery)
    expect(() => readSearchQuery('ab '.repeat(40))).toThrow('Search for at most 32 words.')
  })

  test('counts what is repeated once', () => {
    expect(
      readSearchQuery('red "a b" red "a b" red').map(({ tokens, isPrefix }) => [...tokens, isPrefix]),
    ).toEqual([
      ['red', false],
      ['a', 'b', false],
      ['red', true],
    ])
  })

  test('takes any letters, and no operator comes through', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 100 }), (query) => {
        try {
          for (const { tokens } of readSearchQuery(query))
            for (const token of tokens) expect(token).not.toMatch(/["'*^():&|!<>\s-]/)
        } catch (error) {
          expect(error).toBeInstanceOf(BadQuery)
        }
      }),
    )
  })

  test('finds each piece of a text that is cut at its words', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }),
        fc.nat(),
        fc.nat(),
        (text, a, b) => {
          const tokens = [...tokensOf(text)].filter(({ isPair }) => !isPair)
          if (tokens.length === 0) return
          const [from, to] = [a % tokens.length, b % tokens.length].toSorted((x, y) => x - y)
          const piece = text.slice(tokens[from!]!.from, tokens[to!]!.to).replaceAll(/["“”„«»]/g, ' ')
          if ([...tokensOf(piece)].length <= 32) expect(isFound(text, piece)).toBe(true)
        },
      ),
    )
  })
})

describe('a snippet', () => {
  test('is the line with most of the words, with their ranges', () => {
    const { text, marks } = snippetOf('red line\nthe blue and red line\nblue', readSearchQuery('blue red'))!
    expect(text).toBe('the blue and red line')
    expect(marks.map(({ from, to }) => text.slice(from, to))).toEqual(['blue', 'red'])
  })

  test('is cut around the first of them', () => {
    const { text, marks } = snippetOf(
      `${'word '.repeat(200)}needle ${'word '.repeat(200)}`,
      readSearchQuery('needle'),
    )!
    expect(text.length).toBeLessThan(190)
    expect(text).toMatch(/^…word.*needle.*…$/)
    expect(marks.map(({ from, to }) => text.slice(from, to))).toEqual(['needle'])
  })

  test('is the first line where nothing is found', () => {
    expect(snippetOf('one\ntwo', readSearchQuery('three'))).toBeNull()
    expect(firstLineOf('one\ntwo')).toEqual({ text: 'one', marks: [] })
  })
})
