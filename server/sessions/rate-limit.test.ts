import { expect, test } from 'vitest'
import { ManualClock } from '../../lib/session/fixtures/manual-clock.ts'
import { RateLimit } from './rate-limit.ts'

const taken = (limit: RateLimit, tries: number): number =>
  Array.from({ length: tries }, () => limit.take()).filter(Boolean).length

test('[A6] so many at once, so many a second, and no more for having waited long', async () => {
  const clock = new ManualClock()
  const limit = new RateLimit({ atOnce: 5, perSecond: 10 }, clock)
  expect(taken(limit, 9)).toBe(5)
  await clock.pass(300)
  expect(taken(limit, 9)).toBe(3)
  await clock.pass(60_000)
  expect(taken(limit, 9)).toBe(5)
})
