import { expect, test } from 'vitest'
import { FrozenLeaderDetection } from './frozen-leader-detection.ts'

test.each([
  [[], 0, 1_000],
  [[0], 1, 2_000],
  [[0], 29_999, 2_000],
  [[0], 30_000, 1_000],
  [[0, 5_000], 6_000, 4_000],
  [[0, 1, 2, 3, 4, 5], 6, 8_000],
] as const)('after thefts at %j, at %d ms: %d ms', (steals, now, expected) => {
  const detection = new FrozenLeaderDetection()
  for (const at of steals) detection.onSteal(at)
  expect(detection.timeoutMs(now)).toBe(expected)
})
