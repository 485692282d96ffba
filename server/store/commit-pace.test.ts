import { expect, test } from 'vitest'
import { CommitPace } from './commit-pace.ts'

/** Calls come evenly, each is committed as soon as may be; returns how many ms each commit had to wait. */
function waits(callsASecond: number, seconds = 1): number[] {
  let now = 0
  const pace = new CommitPace(() => now)
  return Array.from({ length: callsASecond * seconds }, (_, index) => {
    now = (index * 1000) / callsASecond
    pace.called()
    const { wait } = pace
    if (wait === 0) pace.begun()
    return wait
  })
}

test.each([1, 30, 400, 1_000])('a calm store never waits: %s calls a second', (calls) => {
  expect(waits(calls).every((wait) => wait === 0)).toBe(true)
})

test('a busy one commits every 4 ms, from the second moment on', () => {
  const later = waits(12_000).slice(1_200)
  const commits = later.filter((wait) => wait === 0).length
  expect(commits).toBeGreaterThan(200)
  expect(commits).toBeLessThan(235)
  expect(Math.max(...later)).toBeLessThanOrEqual(4)
})

test('it is calm again after a pause', () => {
  let now = 0
  const pace = new CommitPace(() => now)
  for (; now < 200; now += 0.1) pace.called()
  pace.begun()
  expect(pace.wait).toBeGreaterThan(0)
  now += 150
  pace.called()
  pace.begun()
  expect(pace.wait).toBe(0)
})
