import fc from 'fast-check'
import { expect, test } from 'vitest'
import { axisScale } from './axis-scale.ts'

test.each([
  ['a round number', [3, 9.2], [0, 2, 4, 6, 8, 10]],
  ['the greatest value if that is a multiple of the step', [3 * 0.1], [0, 0.1, 0.2, 0.3]],
  ['zero if all values are negative', [-3], [-3, -2, -1, 0]],
  ['a round number above and below zero', [-3, 5], [-4, -2, 0, 2, 4, 6]],
  ['1 without values', [], [0, 0.2, 0.4, 0.6, 0.8, 1]],
])('a linear scale goes from zero to %s', (_, values, ticks) =>
  expect(axisScale(values).ticks).toEqual(ticks),
)

test.each([
  ['whole decades, with 2 and 5 if they are few', [3, 40], [1, 2, 5, 10, 20, 50, 100]],
  ['whole decades', [0.01, 900], [0.01, 0.1, 1, 10, 100, 1000]],
  ['at least a decade', [10], [10, 20, 50, 100]],
  ['positive values only', [0, 3, 40], [1, 2, 5, 10, 20, 50, 100]],
  ['one decade more for a value above the last', [1, 9_000], [1, 10, 100, 1_000, 10_000]],
])('a logarithmic scale has %s', (_, values, ticks) => expect(axisScale(values, 'log').ticks).toEqual(ticks))

test('a logarithmic scale has a place for each positive value', () => {
  expect(axisScale([3, 40], 'log').at(10)).toBeCloseTo(0.5)
  expect(axisScale([10], 'log').at(10)).toBe(0)
  expect(axisScale([3, 40], 'log').at(0)).toBeNaN()
})

test('every value lies on the axis, greater ones further on', () => {
  const values = fc.array(fc.double({ min: 1e-3, max: 1e9, noNaN: true }), {
    minLength: 2,
    maxLength: 20,
    size: 'max',
  })
  fc.assert(
    fc.property(values, fc.constantFrom('linear' as const, 'log' as const), (all, kind) => {
      const scale = axisScale(all, kind)
      const places = all.toSorted((a, b) => a - b).map((value) => scale.at(value))
      expect(places.every((place) => place >= -1e-9 && place <= 1 + 1e-9)).toBe(true)
      expect(places).toEqual(places.toSorted((a, b) => a - b))
      expect(scale.ticks.length).toBeLessThan(16)
    }),
  )
})
