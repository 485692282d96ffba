import { expect, test } from 'vitest'
import { sleepUntil } from './sleep-until.ts'

test('nothing due at a fraction of a ms is done before it', async () => {
  const startedAt = performance.now()
  const earlyMs: number[] = []
  for (let due = startedAt + 0.9; due < startedAt + 150; due += 2.9) {
    await sleepUntil(due)
    earlyMs.push(due - performance.now())
  }
  expect(earlyMs.filter((ms) => ms > 0)).toEqual([])
})

test('what was due long ago still gives others their turn', async () => {
  let turns = 0
  const other = setImmediate(() => (turns += 1))
  await sleepUntil(0)
  clearImmediate(other)
  expect(turns).toBe(1)
})
