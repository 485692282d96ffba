import { describe, expect, test } from 'vitest'
import { ManualClock } from './fixtures/manual-clock.ts'
import { UploadWatch } from './upload-watch.ts'

function world() {
  const clock = new ManualClock()
  const seen = { overdue: 0 }
  const watch = new UploadWatch({ clock, answerMs: () => 2_000, overdue: () => (seen.overdue += 1) })
  return { clock, seen, watch }
}

describe('[S5] what is said is acknowledged in time', () => {
  test('nothing said: nothing owed', async () => {
    const { clock, seen } = world()
    await clock.pass(60_000)
    expect(seen.overdue).toBe(0)
  })

  test('no acknowledgement: it is overdue, counted from the first that was said', async () => {
    const { clock, seen, watch } = world()
    watch.said()
    await clock.pass(1_500)
    watch.said()
    await clock.pass(499)
    expect(seen.overdue).toBe(0)
    await clock.pass(1)
    expect(seen.overdue).toBe(1)
    await clock.pass(2_000)
    expect(seen.overdue).toBe(2)
  })

  test('each acknowledgement gives the rest its time, the last one ends it', async () => {
    const { clock, seen, watch } = world()
    watch.said()
    for (let times = 0; times < 5; times++) {
      await clock.pass(1_900)
      watch.acknowledged(false)
    }
    watch.acknowledged(true)
    await clock.pass(60_000)
    expect([seen.overdue, clock.timers]).toEqual([0, 0])
  })

  test('[S7] a machine that slept grants the time once more', async () => {
    const { clock, seen, watch } = world()
    watch.said()
    await clock.sleep(60_000)
    expect(seen.overdue).toBe(0)
    await clock.pass(2_000)
    expect(seen.overdue).toBe(1)
  })
})
