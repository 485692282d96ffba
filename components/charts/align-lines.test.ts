import { expect, test } from 'vitest'
import { alignLines } from './align-lines.ts'

test('lines measured at different moments share one axis, with gaps where they were not measured', () => {
  const first = [
    { x: 3, y: 30 },
    { x: 1, y: 10 },
  ]
  const second = [
    { x: 2, y: 0 },
    { x: 3, y: 9 },
  ]
  expect(alignLines([first, second])).toEqual({
    x: [1, 2, 3],
    lines: [
      [10, null, 30],
      [null, 0, 9],
    ],
  })
  expect(alignLines([[], []])).toEqual({ x: [], lines: [[], []] })
})
