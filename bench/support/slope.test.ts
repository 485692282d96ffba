import { expect, test } from 'vitest'
import { slopeOf } from './slope.ts'

test('a straight line has its slope and no noise', () => {
  const { slope, bound } = slopeOf([0, 1, 2, 3, 4].map((x) => [x, 3 + 2 * x] as const))
  expect(slope).toBeCloseTo(2, 10)
  expect(bound).toBeCloseTo(0, 10)
})

test('noise around nothing leaves 0 within the bound', () => {
  const { slope, bound } = slopeOf([5, 7, 4, 8, 6, 5, 7, 4, 8, 6].map((y, x) => [x, y] as const))
  expect(Math.abs(slope)).toBeLessThan(bound)
})

test('the bound is that of Student’s t', () => {
  // 2.776 is t of four degrees of freedom: 2.776 × √(3.771 ÷ 4 ÷ 17.5)
  const { slope, bound } = slopeOf([1, 3, 2, 5, 4, 6].map((y, x) => [x, y] as const))
  expect(slope).toBeCloseTo(0.886, 3)
  expect(bound).toBeCloseTo(0.644, 3)
})

test('of three points nothing can be told of the noise', () => {
  expect(slopeOf([1, 3, 2].map((y, x) => [x, y] as const)).bound).toBeNaN()
})
