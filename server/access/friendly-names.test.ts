import { expect, test } from 'vitest'
import { friendlyName, RecentNames } from './friendly-names.ts'

test('a seed has one name', () => {
  expect(friendlyName('a')).toBe(friendlyName('a'))
  expect(friendlyName('a')).toMatch(/^[A-Z][a-z]+ [A-Z][a-z]+$/)
})

test('a hundred guests who come one after the other have different names', () => {
  const recent = new RecentNames()
  let seed = 0
  const names = Array.from(
    { length: 1_000 },
    () => recent.choose(() => ({ name: friendlyName(`${seed++}`) })).name,
  )
  for (let first = 0; first + 100 <= names.length; first += 100)
    expect(new Set(names.slice(first, first + 100)).size).toBe(100)
  // Without the memory of recent names, some would be equal.
  const plainNames = Array.from({ length: 100 }, (_, index) => friendlyName(`${index}`))
  expect(new Set(plainNames).size).toBeLessThan(100)
})

test('once all names were given lately, one is given again', () => {
  const recent = new RecentNames()
  expect(recent.choose(() => ({ name: 'a' }))).toEqual({ name: 'a' })
  expect(recent.choose(() => ({ name: 'a' }))).toEqual({ name: 'a' })
})
