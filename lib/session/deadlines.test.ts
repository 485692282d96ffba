import { describe, expect, test } from 'vitest'
import { proofTimeoutMs } from '../transports/proof-timeout.ts'
import { answerTimeoutMs, attemptTimeoutMs } from './deadlines.ts'

describe('[S5] proof of life is due within 2 s and four round trips', () => {
  test.each([
    // round trip, timeout
    [0, 2_000],
    [50, 2_200],
    [1_000, 6_000],
    [undefined, 4_000],
    [60_000, 10_000],
  ])('a round trip of %s ms: %d ms', (roundTripMs, timeout) => {
    expect(proofTimeoutMs(roundTripMs)).toBe(timeout)
  })

  test.each([
    // round trip, opening, extra time, from start to proof
    [50, undefined, false, 2_200],
    [50, 10, false, 2_200],
    [undefined, undefined, false, 4_000],
    // The time of an opening replaces the assumed round trip.
    [undefined, 10, false, 2_040],
    [undefined, 1_000, false, 6_000],
    // An attempt gets at most one deadline more.
    [50, 2_199, false, 4_400],
    [undefined, 3_999, false, 8_000],
    // Nobody waits for these attempts.
    [50, undefined, true, 4_400],
    [undefined, 10, true, 4_080],
    [undefined, 3_999, true, 8_000],
  ])(
    'round trip %s, opened after %s, extra time %s: %d ms',
    (roundTripMs, openingMs, hasExtraTime, expected) => {
      const opening = openingMs === undefined ? {} : { openingMs }
      expect(attemptTimeoutMs({ roundTripMs, hasExtraTime, ...opening })).toBe(expected)
    },
  )

  test.each([
    [50, 0, 2_200],
    [50, 80, 2_210],
    [undefined, 1_000_000, 129_000],
  ])('round trip %s, %d bytes on their way: %d ms', (roundTripMs, bytes, expected) => {
    expect(answerTimeoutMs(roundTripMs, bytes)).toBe(expected)
  })
})
