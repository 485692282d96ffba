import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { TextRun } from './tree.ts'
import { diffRuns, type DiffPiece } from './word-diff.ts'

const run = (text: string, ...names: string[]): TextRun => ({
  text,
  marks: Object.fromEntries(names.map((name) => [name, {}])),
})

const signs = { same: '=', added: '+', removed: '-', marked: '~' }

/** Writes pieces as `=kept -gone +came ~other marks`. */
const signedPieces = (before: string | TextRun[], after: string | TextRun[]): string[] =>
  diffRuns(runs(before), runs(after)).map(({ kind, text }) => signs[kind] + text)

const runs = (text: string | TextRun[]): TextRun[] => (typeof text === 'string' ? [run(text)] : text)

describe('two texts word by word', () => {
  test.each<[string, string, string[]]>([
    ['the same', 'the same', ['=the same']],
    ['a quick fox', 'a slow fox', ['=a ', '-quick', '+slow', '= fox']],
    ['one', 'one two', ['=one', '+ two']],
    ['', 'new', ['+new']],
    ['old', '', ['-old']],
    ['a quick fox', 'a slow dog', ['=a ', '-quick fox', '+slow dog']],
    ['first line\nsecond', 'first line\nthird', ['=first line\n', '-second', '+third']],
    ['naïve café', 'naïve cafés', ['=naïve ', '-café', '+cafés']],
  ])('%j → %j', (before, after, expected) => {
    expect(signedPieces(before, after)).toEqual(expected)
  })

  test('a change of marks alone is no change of text', () => {
    expect(diffRuns([run('all plain')], [run('all '), run('pl', 'bold'), run('ain')])).toEqual([
      { kind: 'same', text: 'all ', marks: {} },
      { kind: 'marked', text: 'pl', marks: { bold: {} }, before: {} },
      { kind: 'same', text: 'ain', marks: {} },
    ])
  })

  test('texts with nothing in common are soon reported as such', () => {
    const [before, after] = ['a', 'b'].map((letter) =>
      Array.from({ length: 3_000 }, (_, n) => letter + n).join(' '),
    )
    expect(signedPieces(before!, after!)).toEqual([`-${before}`, `+${after}`])
  })
})

const word = fc.constantFrom('a', 'b', 'cd', ' ', '  ', '\n', '👍🏽', 'é', '.', '')
const anyRuns = fc.array(
  fc.record({ text: fc.array(word, { maxLength: 4 }).map((words) => words.join('')), marks: marks() }),
  { maxLength: 6 },
)

function marks() {
  return fc.constantFrom<TextRun['marks']>(
    {},
    { bold: {} },
    { bold: {}, link: { href: 'https://a.example' } },
  )
}

const letters = (all: readonly { text: string; marks: unknown }[]) =>
  all.flatMap(({ text, marks: carried }) => text.split('').map((letter) => [letter, carried]))

test('kept and removed pieces make up the old text; kept and added pieces make up the new one', () => {
  fc.assert(
    fc.property(anyRuns, anyRuns, (before, after) => {
      const pieces = diffRuns(before, after)
      const without = (kind: DiffPiece['kind']) => pieces.filter((piece) => piece.kind !== kind)
      const old = without('added').map((piece) =>
        piece.kind === 'marked' ? { ...piece, marks: piece.before } : piece,
      )
      expect(letters(old)).toEqual(letters(before))
      expect(letters(without('removed'))).toEqual(letters(after))
    }),
    { numRuns: 500 },
  )
})
