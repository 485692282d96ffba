import { expect, test } from 'vitest'
import { titleKey } from './title-key.ts'

const byKey = (a: string, b: string): number =>
  Buffer.compare(Buffer.from(titleKey(a)), Buffer.from(titleKey(b)))

test('numbers in titles are compared by value, names without regard to case and accents, nameless ones last', () => {
  const titles = [
    '2 plans',
    '10 plans',
    `${'9'.repeat(8)} plans`,
    `1${'0'.repeat(8)} plans`,
    `1${'0'.repeat(20)} plans`,
    'Doc',
    'doc 1',
    'Dóc 2',
    'DOC 2a',
    'Doc 10',
    'Doc 10.2',
    'Doc 10.11',
    'Doc a',
    'Élan',
    'Zebra',
    '🍋 lemon',
    '',
  ]
  expect(titles.toReversed().toSorted(byKey)).toEqual(titles)
})

test('zeros before a number, and letters of another width, make no difference', () => {
  expect(titleKey('Doc 007')).toBe(titleKey('ｄｏｃ ７'))
  expect(titleKey('Doc 0')).not.toBe(titleKey('Doc 1'))
  expect(byKey('Doc 0', 'Doc 1')).toBeLessThan(0)
})

test('a title of nothing but spaces and accents is none', () => {
  expect(titleKey(' \u0301 ')).toBe(titleKey(''))
})
