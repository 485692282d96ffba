import { expect, test } from 'vitest'
import { SecondCounters } from './second-counters.ts'

test('an event counts in its second, and long after the end in none', () => {
  const seconds = new SecondCounters(1_000)
  seconds.count('sent', 1_000)
  seconds.count('sent', 1_999)
  seconds.count('acknowledged', 2_000)
  seconds.count('delivered', 3_500)
  seconds.count('delivered', 9_000)
  expect(seconds.until(3_000)).toEqual([
    { sent: 2, acknowledged: 0, delivered: 0 },
    { sent: 0, acknowledged: 1, delivered: 0 },
    { sent: 0, acknowledged: 0, delivered: 1 },
  ])
})

test('an event before the start counts in the first second', () => {
  const seconds = new SecondCounters(1_000)
  seconds.count('sent', 999)
  expect(seconds.until(1_000)).toEqual([{ sent: 1, acknowledged: 0, delivered: 0 }])
})
