import fc from 'fast-check'
import { expect, test } from 'vitest'
import { scaleOf } from './scale.ts'

test('from zero to a round number', () => {
  expect(scaleOf([3, 9.2]).ticks).toEqual([0, 2, 4, 6, 8, 10])
  expect(scaleOf([0.3]).ticks).toEqual([0, 0.1, 0.2, 0.3])
  expect(scaleOf([]).ticks).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1])
  expect(scaleOf([-3, 5]).ticks).toEqual([-4, -2, 0, 2, 4, 6])
})

test('whole decades, with 2 and 5 while they are few', () => {
  expect(scaleOf([3, 40], 'log').ticks).toEqual([1, 2, 5, 10, 20, 50, 100])
  expect(scaleOf([0.01, 900], 'log').ticks).toEqual([0.01, 0.1, 1, 10, 100, 1000])
  expect(scaleOf([3, 40], 'log').at(10)).toBeCloseTo(0.5)
  expect(scaleOf([3, 40], 'log').at(0)).toBeNaN()
})

test('every value lies on the axis, and greater ones further on', () => {
  const values = fc.array(fc.double({ min: 1e-3, max: 1e9, noNaN: true }), {
    minLength: 2,
    maxLength: 20,
    size: 'max',
  })
  fc.assert(
    fc.property(values, fc.constantFrom('linear' as const, 'log' as const), (all, kind) => {
      const scale = scaleOf(all, kind)
      const places = all.toSorted((a, b) => a - b).map((value) => scale.at(value))
      expect(places.every((place) => place >= -1e-9 && place <= 1 + 1e-9)).toBe(true)
      expect(places).toEqual(places.toSorted((a, b) => a - b))
      expect(scale.ticks.length).toBeLessThan(16)
    }),
  )
})

test('a scale ends with the value that fills it, and not a step behind', () => {
  expect(scaleOf([3 * 0.1]).ticks).toEqual([0, 0.1, 0.2, 0.3])
  expect(scaleOf([-3]).ticks).toEqual([-3, -2, -1, 0])
})

test('a logarithmic one spans a decade at least, has no place for zero, and few ticks for many decades', () => {
  expect(scaleOf([10], 'log').ticks).toEqual([10, 20, 50, 100])
  expect(scaleOf([10], 'log').at(10)).toBe(0)
  expect(scaleOf([0, 3, 40], 'log').ticks).toEqual([1, 2, 5, 10, 20, 50, 100])
  expect(scaleOf([1, 9_000], 'log').ticks).toEqual([1, 10, 100, 1_000, 10_000])
})
