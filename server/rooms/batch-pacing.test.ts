import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { BatchPacing, pauseMsFor } from './batch-pacing.ts'
import { settle } from '../../lib/fixtures/wait.ts'

test.each<[members: number, ms: number]>([
  [1, 0],
  [19, 0],
  [40, 2],
  [200, 10],
  [10_000, 40],
])('from one batch to the next a room of %i members waits %i ms', (members, ms) => {
  expect(pauseMsFor(members)).toBe(ms)
})

const one = (): number => 1

/** True if it is settled within this turn of the event loop. */
async function atOnce(turn: Promise<void>): Promise<boolean> {
  let settled = false
  void turn.then(() => (settled = true))
  await settle()
  return settled
}

/** True if it is settled before anything else can happen. */
async function inThisInstant(turn: Promise<void>): Promise<boolean> {
  let settled = false
  void turn.then(() => (settled = true))
  for (let tick = 0; tick < 20; tick++) await Promise.resolve()
  return settled
}

test('a calm room never waits', async () => {
  const pacing = new BatchPacing()
  expect([
    await atOnce(pacing.waitForBatch(2, one)),
    await atOnce(pacing.waitForBatch(2, one)),
    pacing.isPausing,
  ]).toEqual([true, true, false])
})

test('a room that may be busy begins at once with the first edit of a burst, then waits for its next batch, but not after a lull', async () => {
  const pacing = new BatchPacing()
  expect([await inThisInstant(pacing.waitForBatch(1_000, one)), pacing.isPausing]).toEqual([true, true])
  const second = pacing.waitForBatch(1_000, one)
  expect(await atOnce(second)).toBe(false)
  await second
  await expect.poll(() => pacing.isPausing).toBe(false)
  expect(await atOnce(pacing.waitForBatch(100, one))).toBe(true)
})

describe('with a clock of its own', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
  afterEach(() => void vi.useRealTimers())

  test('a busy room’s next batch waits as long as each turn of the event loop brings more', async () => {
    const pacing = new BatchPacing()
    await pacing.waitForBatch(100, one)
    let waiting = 1
    let settled = false
    void pacing.waitForBatch(100, () => waiting).then(() => (settled = true))
    await vi.advanceTimersByTimeAsync(pauseMsFor(100))
    for (let turns = 0; turns < 10; turns++) {
      waiting += 1
      await settle()
      expect(settled).toBe(false)
    }
    await expect.poll(() => settled).toBe(true)
  })
})

test('a busy room does not wait for ever if more edits come without end', async () => {
  const pacing = new BatchPacing()
  await pacing.waitForBatch(1_000, one)
  let waiting = 0
  await pacing.waitForBatch(1_000, () => (waiting += 1))
})

test('a closed room waits for nothing', async () => {
  const pacing = new BatchPacing()
  await pacing.waitForBatch(1_000, one)
  const second = pacing.waitForBatch(1_000, one)
  expect(await atOnce(second)).toBe(false)
  pacing.stop()
  expect(await atOnce(second)).toBe(true)
})
