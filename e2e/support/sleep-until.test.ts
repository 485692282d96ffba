import { expect, test } from 'vitest'
import { sleepUntil } from './sleep-until.ts'

test('a time at a fraction of a ms is never undercut', async () => {
  const startedAt = performance.now()
  const earlyMs: number[] = []
  for (let due = startedAt + 0.9; due < startedAt + 150; due += 2.9) {
    await sleepUntil(due)
    earlyMs.push(due - performance.now())
  }
  expect(earlyMs.filter((ms) => ms > 0)).toEqual([])
})

test('a time in the past still yields to other work', async () => {
  let turns = 0
  const other = setImmediate(() => (turns += 1))
  await sleepUntil(0)
  clearImmediate(other)
  expect(turns).toBe(1)
})
