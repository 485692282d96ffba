import { expect, test } from 'vitest'
import { dueAt, type Schedule, turnsOf } from './schedule.ts'

const schedule: Schedule = { startAt: 1000, intervalMs: 500, edits: 4, rhythm: 'spread', firstClock: 10 }

test('everybody has a turn in each interval, always the same', () => {
  const first = turnsOf(schedule, 0, 7)
  expect(first.toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6])
  const times = first.map((client) => dueAt(schedule, client, 10))
  expect(times).toEqual(times.toSorted((a, b) => a - b))
  expect(Math.min(...times)).toBeGreaterThanOrEqual(1000)
  expect(Math.max(...times)).toBeLessThan(1500)
  for (const client of first)
    expect(dueAt(schedule, client, 12) - dueAt(schedule, client, 10)).toBeCloseTo(1000)
})

test('together is together', () => {
  const together: Schedule = { ...schedule, rhythm: 'together' }
  expect([0, 1, 99].map((client) => dueAt(together, client, 11))).toEqual([1500, 1500, 1500])
})
