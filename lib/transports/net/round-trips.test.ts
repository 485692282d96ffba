import { expect, test } from 'vitest'
import { RoundTrips } from './round-trips.ts'

test('[S5] the least of the latest eight counts, each origin for itself', () => {
  const roundTrips = new RoundTrips()
  expect(roundTrips.least('a')).toBeUndefined()
  for (const ms of [1, 9, 8, 7, 6, 5, 4, 3]) roundTrips.note('a', ms)
  expect(roundTrips.least('a')).toBe(1)
  roundTrips.note('a', 20)
  expect(roundTrips.least('a')).toBe(3)
  expect(roundTrips.least('b')).toBeUndefined()
})
