import { expect, test } from 'vitest'
import { relativeTimeText } from './relative-time-text.ts'

const now = Date.UTC(2026, 10, 21, 12)
const minute = 60_000

test.each([
  [0, 'just now'],
  [59_999, 'just now'],
  [minute, '1 minute ago'],
  [59 * minute, '59 minutes ago'],
  [60 * minute, '1 hour ago'],
  [25 * 60 * minute, 'yesterday'],
  [8 * 24 * 60 * minute, 'last week'],
  [400 * 24 * 60 * minute, 'last year'],
])('%d ms ago reads "%s"', (elapsed, expected) => {
  expect(relativeTimeText(now - elapsed, now)).toBe(expected)
})

test('a clock that is behind the server never says "in 3 minutes"', () => {
  expect(relativeTimeText(now + 3 * minute, now)).toBe('just now')
})
