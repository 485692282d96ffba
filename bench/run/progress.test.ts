import { expect, test } from 'vitest'
import { duration } from './progress.ts'

test.each([
  [0, '0 s'],
  [89.2, '90 s'],
  [90, '2 min'],
  [601, '11 min'],
  [89 * 60 + 1, '1 h 30 min'],
  [3 * 3600, '3 h 0 min'],
])('%d seconds: %s', (seconds, words) => expect(duration(seconds)).toBe(words))
