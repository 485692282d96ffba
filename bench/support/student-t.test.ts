import { expect, test } from 'vitest'
import { slopeOf, tTest } from './student-t.ts'

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

test('a straight line has its slope and no noise', () => {
  const { slope, bound } = slopeOf([0, 1, 2, 3, 4].map((x) => [x, 3 + 2 * x] as const))
  expect(slope).toBeCloseTo(2, 10)
  expect(bound).toBeCloseTo(0, 10)
})

test('noise around nothing leaves 0 within the bound', () => {
  const { slope, bound } = slopeOf([5, 7, 4, 8, 6, 5, 7, 4, 8, 6].map((y, x) => [x, y] as const))
  expect(Math.abs(slope)).toBeLessThan(bound)
})

test.each([
  [4, 4.303],
  [5, 3.182],
  [7, 2.571],
  [12, 2.228],
])('of %i points the bound is that by t = %f', (count, t) => {
  const points = Array.from({ length: count }, (_, x) => [x, x + (x % 2)] as const)
  const { slope, bound } = slopeOf(points)
  const mean = (of: 0 | 1) => points.reduce((sum, point) => sum + point[of], 0) / count
  const rest = points.reduce((sum, [x, y]) => sum + (y - mean(1) - slope * (x - mean(0))) ** 2, 0)
  const spread = points.reduce((sum, [x]) => sum + (x - mean(0)) ** 2, 0)
  const exact = t * Math.sqrt(rest / (count - 2) / spread)
  expect(Math.abs(bound - exact)).toBeLessThan(exact * 0.001)
})

test('of three points nothing can be told of the noise', () => {
  expect(slopeOf([1, 3, 2].map((y, x) => [x, y] as const)).bound).toBeNaN()
})
