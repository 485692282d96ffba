import { expect, test } from 'vitest'
import { tTest } from './t-test.ts'

test('of two samples alike in spread it is Student’s: t −1.852 with 10 degrees of freedom', () => {
  const { t, degreesOfFreedom, p } = tTest([1, 2, 3, 4, 5, 6], [3, 4, 5, 6, 7, 8])
  expect(t).toBeCloseTo(-2 / Math.sqrt(7 / 6), 10)
  expect(degreesOfFreedom).toBeCloseTo(10, 10)
  // By Simpson's rule over the density of t.
  expect(p).toBeCloseTo(0.0937925516, 8)
})

test('a small difference is by chance as often as the density of t says', () => {
  const { t, p } = tTest([1, 2, 3, 4, 5, 6], [1.5, 2.5, 3.5, 4.5, 5.5, 6.5])
  expect(t).toBeCloseTo(-0.5 / Math.sqrt(7 / 6), 10)
  expect(p).toBeCloseTo(0.6533385771, 8)
})

test('where the spreads differ there are fewer degrees of freedom', () => {
  const { degreesOfFreedom } = tTest([1, 2, 3], [10, 20, 30])
  expect(degreesOfFreedom).toBeCloseTo(((1 / 3 + 100 / 3) ** 2 * 2) / ((1 / 3) ** 2 + (100 / 3) ** 2), 10)
})

test('what is alike differs by chance alone, what is far apart does not', () => {
  expect(tTest([1, 2, 3], [1, 2, 3]).p).toBeCloseTo(1, 10)
  expect(tTest([1, 2, 3, 2], [101, 102, 103, 102]).p).toBeLessThan(1e-6)
})

test('one sample says nothing of its spread', () => {
  expect(tTest([1], [1, 2]).p).toBeNaN()
})
