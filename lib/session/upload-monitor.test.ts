import { describe, expect, test } from 'vitest'
import { ManualClock } from './fixtures/manual-clock.ts'
import { UploadMonitor } from './upload-monitor.ts'

function createFixture() {
  const clock = new ManualClock()
  const calls = { overdue: 0 }
  const monitor = new UploadMonitor({ clock, answerMs: () => 2_000, onOverdue: () => (calls.overdue += 1) })
  return { clock, calls, monitor }
}

describe('[S5] sent messages are acknowledged in time', () => {
  test('without a message nothing is owed', async () => {
    const { clock, calls } = createFixture()
    await clock.pass(60_000)
    expect(calls.overdue).toBe(0)
  })

  test('without an acknowledgement it is overdue, counted from the first message', async () => {
    const { clock, calls, monitor } = createFixture()
    monitor.onSent()
    await clock.pass(1_500)
    monitor.onSent()
    await clock.pass(499)
    expect(calls.overdue).toBe(0)
    await clock.pass(1)
    expect(calls.overdue).toBe(1)
    await clock.pass(2_000)
    expect(calls.overdue).toBe(2)
  })

  test('each acknowledgement gives the rest more time, the last one ends the wait', async () => {
    const { clock, calls, monitor } = createFixture()
    monitor.onSent()
    for (let times = 0; times < 5; times++) {
      await clock.pass(1_900)
      monitor.onAcknowledged(false)
    }
    monitor.onAcknowledged(true)
    await clock.pass(60_000)
    expect([calls.overdue, clock.timers]).toEqual([0, 0])
  })

  test('[S7] after a machine slept the time begins once more', async () => {
    const { clock, calls, monitor } = createFixture()
    monitor.onSent()
    await clock.sleep(60_000)
    expect(calls.overdue).toBe(0)
    await clock.pass(2_000)
    expect(calls.overdue).toBe(1)
  })
})
