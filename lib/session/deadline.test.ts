import { expect, test, vi } from 'vitest'
import { Deadline } from './deadline.ts'
import { ManualClock } from './fixtures/manual-clock.ts'

test('it runs when it is due, however often it was moved, and arms few timers', async () => {
  const clock = new ManualClock()
  const after = vi.spyOn(clock, 'after')
  const run = vi.fn<() => void>()
  const deadline = new Deadline(clock, run)
  for (let key = 0; key < 100; key++) {
    deadline.set(1_000)
    await clock.pass(60)
    if (key % 3 === 0) deadline.clear()
  }
  expect(run).not.toHaveBeenCalled()
  expect(after.mock.calls.length).toBeLessThan(10)
  deadline.set(1_000)
  await clock.pass(999)
  expect(run).not.toHaveBeenCalled()
  await clock.pass(1)
  expect(run).toHaveBeenCalledTimes(1)
  await clock.pass(5_000)
  expect(run).toHaveBeenCalledTimes(1)
})

test('it may be moved to an earlier time', async () => {
  const clock = new ManualClock()
  const run = vi.fn<() => void>()
  const deadline = new Deadline(clock, run)
  deadline.set(1_000)
  deadline.set(10)
  await clock.pass(10)
  expect(run).toHaveBeenCalledTimes(1)
})

test('one that is cleared or stopped does not run', async () => {
  const clock = new ManualClock()
  const run = vi.fn<() => void>()
  const deadline = new Deadline(clock, run)
  deadline.set(10)
  deadline.clear()
  await clock.pass(20)
  deadline.set(10)
  deadline.stop()
  await clock.pass(20)
  expect(run).not.toHaveBeenCalled()
  deadline.set(10)
  await clock.pass(10)
  expect(run).toHaveBeenCalledTimes(1)
})
