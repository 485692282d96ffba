import { expect, test } from 'vitest'
import { limitsOf, verdictOn } from './verdict.ts'

test.each([
  ['painted', 40, undefined, 'good'],
  ['painted', 180, undefined, 'fair'],
  ['painted', 180, 100, 'good'],
  ['painted', 301, 100, 'poor'],
  ['painted', 290, 100, 'fair'],
  ['received', 50, 0, 'good'],
  ['received', 51, 0, 'fair'],
  ['saved', 150, 0, 'fair'],
  ['saved', 151, 0, 'poor'],
  ['roundTrip', 110, 100, 'good'],
] as const)('%s of %d ms above a base of %s is %s', (what, ms, base, verdict) => {
  expect(verdictOn(ms, limitsOf(what, base))).toBe(verdict)
})

test('the network does not excuse what stays in this window', () => {
  for (const stage of ['ownPaint', 'sent'] as const) expect(limitsOf(stage, 500)).toEqual(limitsOf(stage, 0))
})
