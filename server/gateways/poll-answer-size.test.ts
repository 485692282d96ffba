import { expect, test } from 'vitest'
import { PollAnswerSize } from './poll-answer-size.ts'

const KiB = 1024

test.each<[network: string, times: number[], limit: number]>([
  ['not known yet', [], 16 * KiB],
  ['fast', [50], 64 * KiB],
  ['fast, up to what one answer may hold', [50, 50, 50, 50], 1024 * KiB],
  ['of 8 KB/s', [2_050, 2_050, 2_050], 16 * KiB],
  ['that became slow', [50, 50, 32_000, 8_000, 2_000], 16 * KiB],
  ['of 1 KB/s, down to half a frame of ours', [16_000, 8_000, 8_000], 4 * KiB],
])('[S7] on a network %s', (_network, times, limit) => {
  const size = new PollAnswerSize()
  for (const ms of times) size.onNextPoll(ms)
  expect(size.limitBytes).toBe(limit)
})
