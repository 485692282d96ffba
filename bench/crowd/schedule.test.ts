import { expect, test } from 'vitest'
import { dueAt, endOf, type Schedule, turnsOf } from './schedule.ts'

const schedule: Schedule = { startAt: 1000, intervalMs: 500, edits: 4, rhythm: 'spread', firstClock: 10 }

test('each client has the same turn in each interval', () => {
  const first = turnsOf(schedule, 0, 7)
  expect(first.toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6])
  const times = first.map((client) => dueAt(schedule, client, 10))
  expect(times).toEqual(times.toSorted((a, b) => a - b))
  expect(Math.min(...times)).toBeGreaterThanOrEqual(1000)
  expect(Math.max(...times)).toBeLessThan(1500)
  for (const client of first)
    expect(dueAt(schedule, client, 12) - dueAt(schedule, client, 10)).toBeCloseTo(1000)
})

test('together, all have the same turn', () => {
  const together: Schedule = { ...schedule, rhythm: 'together' }
  expect([0, 1, 99].map((client) => dueAt(together, client, 11))).toEqual([1500, 1500, 1500])
})

test.each([5, 60, 200])('%i clients are spread evenly over the whole interval', (count) => {
  const times = turnsOf(schedule, 0, count).map((client) => dueAt(schedule, client, 10))
  const gaps = [...times.slice(1), times[0]! + 500].map((time, index) => time - times[index]!)
  expect(Math.max(...gaps)).toBeLessThan((3 * 500) / count)
  expect(Math.min(...gaps)).toBeGreaterThan(500 / count / 3)
})

test('a schedule ends an interval after the last edits begin, and a part of a crowd has the turns of its own clients', () => {
  expect(endOf(schedule)).toBe(3000)
  expect(turnsOf(schedule, 100, 3).toSorted((a, b) => a - b)).toEqual([100, 101, 102])
  const last = Math.max(...[100, 101, 102].map((client) => dueAt(schedule, client, 13)))
  expect(last).toBeLessThan(endOf(schedule))
})
