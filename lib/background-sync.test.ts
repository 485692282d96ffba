import { expect, test } from 'vitest'
import { withoutOverlap } from './background-sync.ts'

test('[D6] rounds that last longer than their interval do not queue', async () => {
  let rounds = 0
  const first = Promise.withResolvers<void>()
  const startRound = withoutOverlap(() => (rounds++ === 0 ? first.promise : Promise.resolve()))
  for (let minute = 0; minute < 10; minute++) startRound()
  expect(rounds).toBe(1)
  first.resolve()
  await first.promise
  await expect
    .poll(() => {
      startRound()
      return rounds
    })
    .toBeGreaterThan(1)
})
