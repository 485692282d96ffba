import { expect, test } from 'vitest'
import { FaultHistory, SET_ASIDE_MS } from './fault-history.ts'

const MINUTE = 60_000

function openFaultHistory() {
  const clock = { now: 0 }
  return { clock, faults: new FaultHistory(() => clock.now) }
}

test('the third fault within minutes sets a part aside for a while, and no other part', () => {
  const { clock, faults } = openFaultHistory()
  expect([faults.recordFault('a'), faults.recordFault('b'), faults.recordFault('a')]).toEqual([
    false,
    false,
    false,
  ])
  clock.now += 4 * MINUTE
  expect([faults.setAsideMs('a'), faults.recordFault('a')]).toEqual([0, true])
  expect([faults.setAsideMs('a'), faults.setAsideMs('b')]).toEqual([SET_ASIDE_MS, 0])
  clock.now += SET_ASIDE_MS - 1
  expect(faults.setAsideMs('a')).toBe(1)
  clock.now += 1
  expect(faults.setAsideMs('a')).toBe(0)
})

test('faults with time between them do not add up, and after the set-aside the count begins again', () => {
  const { clock, faults } = openFaultHistory()
  for (let left = 6; left > 0; left--) {
    expect(faults.recordFault('a')).toBe(false)
    clock.now += 3 * MINUTE
  }
  expect([faults.recordFault('a'), faults.recordFault('a')]).toEqual([false, true])
  clock.now += SET_ASIDE_MS
  expect([faults.recordFault('a'), faults.recordFault('a'), faults.recordFault('a')]).toEqual([
    false,
    false,
    true,
  ])
})
