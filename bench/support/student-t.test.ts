import { expect, test } from 'vitest'
import { slopeOf, tTest } from './student-t.ts'

// Each p comes from Simpson's rule over the density of t.
test.each([
  { shift: 2, p: 0.0937925516 },
  { shift: 0.5, p: 0.6533385771 },
  { shift: 0, p: 1 },
])('samples of equal spread, $shift apart, have Student’s p', ({ shift, p }) => {
  const one = [1, 2, 3, 4, 5, 6]
  const found = tTest(
    one,
    one.map((value) => value + shift),
  )
  expect(found.t).toBeCloseTo(-shift / Math.sqrt(7 / 6), 10)
  expect(found.degreesOfFreedom).toBeCloseTo(10, 10)
  expect(found.p).toBeCloseTo(p, 8)
})

test('different spreads have fewer degrees of freedom, and one sample has no spread', () => {
  const { degreesOfFreedom, p } = tTest([1, 2, 3], [1_010, 1_020, 1_030])
  expect(degreesOfFreedom).toBeCloseTo(((1 / 3 + 100 / 3) ** 2 * 2) / ((1 / 3) ** 2 + (100 / 3) ** 2), 10)
  expect(p).toBeLessThan(1e-3)
  expect(tTest([1], [1, 2]).p).toBeNaN()
})

test('a straight line has its slope and no noise', () => {
  const { slope, bound } = slopeOf([0, 1, 2, 3, 4].map((x) => [x, 3 + 2 * x] as const))
  expect(slope).toBeCloseTo(2, 10)
  expect(bound).toBeCloseTo(0, 10)
})

test.each([
  [4, 4.303],
  [5, 3.182],
  [7, 2.571],
  [12, 2.228],
])('the bound of %i points is that by t = %f', (count, t) => {
  const points = Array.from({ length: count }, (_, x) => [x, x + (x % 2)] as const)
  const { slope, bound } = slopeOf(points)
  const mean = (of: 0 | 1) => points.reduce((sum, point) => sum + point[of], 0) / count
  const rest = points.reduce((sum, [x, y]) => sum + (y - mean(1) - slope * (x - mean(0))) ** 2, 0)
  const spread = points.reduce((sum, [x]) => sum + (x - mean(0)) ** 2, 0)
  const exact = t * Math.sqrt(rest / (count - 2) / spread)
  expect(Math.abs(bound - exact)).toBeLessThan(exact * 0.001)
})

test('three points say nothing of the noise', () => {
  expect(slopeOf([1, 3, 2].map((y, x) => [x, y] as const)).bound).toBeNaN()
})
