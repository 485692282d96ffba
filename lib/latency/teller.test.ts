import { expect, test } from 'vitest'
import { ManualClock } from '../session/fixtures/manual-clock.ts'
import { Teller } from './teller.ts'

test('listeners hear once a second at most, and draw what they were told of', async () => {
  const clock = new ManualClock()
  let value = 0
  let told = 0
  const teller = new Teller(clock, () => ({ value }))
  const end = teller.subscribe(() => (told += 1))
  expect(teller.get()).toEqual({ value: 0 })
  for (value = 1; value <= 20; value++) {
    teller.changed()
    expect(teller.get()).toEqual({ value: 0 })
    await clock.pass(100)
  }
  expect(told).toBe(2)
  const state = teller.get()
  expect(teller.get()).toBe(state)
  end()
  await clock.pass(1_000)
  teller.changed()
  expect([clock.timers, told]).toEqual([0, 2])
  expect(teller.get()).toEqual({ value: 21 })
})
