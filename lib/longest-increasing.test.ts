import fc from 'fast-check'
import { expect, test } from 'vitest'
import { longestIncreasing } from './longest-increasing.ts'

test.each<[values: (number | null)[], indexes: number[]]>([
  [[], []],
  [[null], []],
  [
    [3, 1, 2],
    [1, 2],
  ],
  [[5, 5, 5], [2]],
  [
    [1, null, 0, 2],
    [2, 3],
  ],
])('%j: %j', (values, indexes) => expect(longestIncreasing(values)).toEqual(indexes))

test('no other choice of values that rise is longer', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(9), { maxLength: 9 }), (values) => {
      const found = longestIncreasing(values)
      expect(rises(found.map((at) => values[at]!))).toBe(true)
      let longest = 0
      for (let choice = 0; choice < 2 ** values.length; choice++) {
        const chosen = values.filter((_value, at) => (choice >> at) % 2 === 1)
        if (rises(chosen)) longest = Math.max(longest, chosen.length)
      }
      expect(found).toHaveLength(longest)
    }),
  )
})

const rises = (values: readonly number[]): boolean =>
  values.every((value, at) => at === 0 || values[at - 1]! < value)
