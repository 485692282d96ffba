import { expect, test } from 'vitest'
import { RoundTripHistory } from './round-trip-history.ts'

test('[S5] the least of the latest eight counts, each origin for itself', () => {
  const roundTrips = new RoundTripHistory()
  expect(roundTrips.minimum('a')).toBeUndefined()
  for (const ms of [1, 9, 8, 7, 6, 5, 4, 3]) roundTrips.record('a', ms)
  expect(roundTrips.minimum('a')).toBe(1)
  roundTrips.record('a', 20)
  expect(roundTrips.minimum('a')).toBe(3)
  expect(roundTrips.minimum('b')).toBeUndefined()
})
