import { expect, test } from 'vitest'
import { Faults, SET_ASIDE_MS } from './faults.ts'

const MINUTE = 60_000

function faultsAt() {
  const clock = { now: 0 }
  return { clock, faults: new Faults(() => clock.now) }
}

test('the third fault within minutes sets aside, for a while, and only what failed', () => {
  const { clock, faults } = faultsAt()
  expect([faults.add('a'), faults.add('b'), faults.add('a')]).toEqual([false, false, false])
  clock.now += 4 * MINUTE
  expect([faults.setAsideMs('a'), faults.add('a')]).toEqual([0, true])
  expect([faults.setAsideMs('a'), faults.setAsideMs('b')]).toEqual([SET_ASIDE_MS, 0])
  clock.now += SET_ASIDE_MS - 1
  expect(faults.setAsideMs('a')).toBe(1)
  clock.now += 1
  expect(faults.setAsideMs('a')).toBe(0)
})

test('faults that lie apart do not add up, and what was set aside begins anew', () => {
  const { clock, faults } = faultsAt()
  for (let left = 6; left > 0; left--) {
    expect(faults.add('a')).toBe(false)
    clock.now += 3 * MINUTE
  }
  expect([faults.add('a'), faults.add('a')]).toEqual([false, true])
  clock.now += SET_ASIDE_MS
  expect([faults.add('a'), faults.add('a'), faults.add('a')]).toEqual([false, false, true])
})
