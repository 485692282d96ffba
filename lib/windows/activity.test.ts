import { expect, test } from 'vitest'
import { ManualClock } from '../session/fixtures/manual-clock.ts'
import { IDLE_MS, watchActivity } from './activity.ts'

test('[W4] a window reports when input ends and when it comes again, and nothing in between', async () => {
  const target = new EventTarget()
  const clock = new ManualClock()
  const changes: boolean[] = []
  const stop = watchActivity(target, clock, (active) => changes.push(active))
  const press = () => target.dispatchEvent(new Event('keydown'))
  await clock.pass(IDLE_MS - 1)
  press()
  await clock.pass(IDLE_MS - 1)
  expect(changes).toEqual([])
  await clock.pass(1)
  expect(changes).toEqual([false])
  press()
  press()
  expect(changes).toEqual([false, true])
  stop()
  await clock.pass(IDLE_MS)
  press()
  expect(changes).toEqual([false, true])
  expect(clock.timers).toBe(0)
})
