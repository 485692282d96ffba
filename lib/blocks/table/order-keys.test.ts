import fc from 'fast-check'
import { expect, test } from 'vitest'
import { assignOrderKeys, initialOrderKey, isOrderKey } from './order-keys.ts'

test('keys are in the wanted order, and those that are already stay', () => {
  const keys = fc.array(fc.option(fc.nat(50).map(initialOrderKey)), { maxLength: 12 })
  fc.assert(
    fc.property(keys, (present) => {
      const assigned = assignOrderKeys(present)
      expect(assigned.every(isOrderKey)).toBe(true)
      for (const [index, key] of assigned.slice(1).entries()) expect(key > assigned[index]!).toBe(true)
      if (present.every((key, index) => key !== null && (index === 0 || key > present[index - 1]!)))
        expect(assigned).toEqual(present)
    }),
  )
})

test('moving one thing gives one new key', () => {
  const keys = Array.from({ length: 20 }, (_, index) => initialOrderKey(index))
  const moved = [...keys.slice(0, 3), ...keys.slice(4, 15), keys[3]!, ...keys.slice(15)]
  expect(assignOrderKeys(moved).filter((key, index) => key !== moved[index])).toHaveLength(1)
})

test.each([
  ['at one place', () => 1],
  ['at the beginning', () => 0],
  ['at the end', (keys: string[]) => keys.length],
])('1,000 insertions %s leave keys that are valid', (_name, placeIn) => {
  let keys = [initialOrderKey(0), initialOrderKey(1)]
  for (let count = 0; count < 1_000; count++) {
    const present: (string | null)[] = [...keys]
    present.splice(placeIn(keys), 0, null)
    keys = assignOrderKeys(present)
    expect(keys.every(isOrderKey)).toBe(true)
  }
  expect(new Set(keys).size).toBe(1_002)
})

test.each(['', 'a', '000', 'a b c', 'V0000', 'V000-', 7, null, 'V000'.padEnd(600, '1')])(
  '%j is no key',
  (value) => {
    expect(isOrderKey(value)).toBe(false)
  },
)
