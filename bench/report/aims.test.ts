import { expect, test } from 'vitest'
import { verdictsOf } from './aims.ts'
import { short } from './figures.ts'

test('aims whose limits look alike are report apart by their names', () => {
  const none = { limit: 0, unit: 'tokens', reached: true }
  const quick = { name: 'quick', measured: 18, limit: 16, unit: 'ms', reached: false }
  expect(
    verdictsOf([{ name: 'lost', measured: 0, ...none }, { name: 'doubled', measured: 2, ...none }, quick]),
  ).toBe('lost ≤ 0 tokens: 0, reached; doubled ≤ 0 tokens: 2, reached; ≤ 16 ms: 18, missed')
})

test.each([
  [0, '0'],
  [0.000342, '0.0003'],
  [0.0123, '0.012'],
  [12.34, '12.34'],
  [1234.5, '1,235'],
])('%d is written as %s', (value, words) => expect(short(value)).toBe(words))
