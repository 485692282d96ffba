import { expect, test } from 'vitest'
import { addRedoneRanges, type RedoneRange } from './struct-ranges.ts'

test('ranges that were restored side by side are one', () => {
  const all: RedoneRange[] = [[1, 0, 2, 2, 10]]
  addRedoneRanges(all, [
    [1, 2, 3, 2, 12],
    [1, 5, 1, 2, 20],
    [3, 6, 1, 2, 21],
  ])
  expect(all).toEqual([
    [1, 0, 5, 2, 10],
    [1, 5, 1, 2, 20],
    [3, 6, 1, 2, 21],
  ])
})

test('however often something is undone and redone, only the latest ranges are kept', () => {
  const all: RedoneRange[] = []
  for (let clock = 0; clock < 100; clock += 2) addRedoneRanges(all, [[1, clock, 1, 2, clock]], 3)
  expect(all).toEqual([94, 96, 98].map((clock) => [1, clock, 1, 2, clock]))
})
