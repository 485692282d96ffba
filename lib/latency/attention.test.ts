import { expect, test } from 'vitest'
import { ManualClock } from '../session/fixtures/manual-clock.ts'
import { Attention } from './attention.ts'

function watched() {
  const clock = new ManualClock()
  const log: string[] = []
  const note = (what: string) => () => void log.push(what)
  const attention = new Attention(clock, {
    onAwake: note('awake'),
    onAsleep: note('asleep'),
    say: note('look'),
    tick: () => {},
  })
  return { clock, log, attention }
}

test('[L1] who looks says so at once and every 5 s, and nothing runs before or after', async () => {
  const { clock, log, attention } = watched()
  expect(clock.timers).toBe(0)
  const [end, endToo] = [attention.look(), attention.look()]
  await clock.pass(11_000)
  end()
  end()
  await clock.pass(5_000)
  expect(attention.looking).toBe(true)
  endToo()
  expect(log).toEqual(['awake', 'look', 'look', 'look', 'look', 'asleep'])
  expect([attention.looking, clock.timers]).toEqual([false, 0])
})

test('[L1] a look from elsewhere is good for 15 s; only one of the same person asks for stamps', async () => {
  const { clock, log, attention } = watched()
  attention.heard(7, false)
  expect([attention.awake, attention.stamping]).toEqual([true, false])
  await clock.pass(10_000)
  attention.heard(8, true)
  expect([attention.stamping, attention.ownLookers]).toEqual([true, [8]])
  await clock.pass(14_000)
  expect(attention.awake).toBe(true)
  await clock.pass(2_000)
  expect([attention.awake, attention.stamping, clock.timers]).toEqual([false, false, 0])
  expect(log).toEqual(['awake', 'asleep'])
})

test('[A6] as many lookers as one cares to know, and no more', () => {
  const { attention } = watched()
  for (let client = 1; client <= 1_000; client++) attention.heard(client, true)
  expect(attention.ownLookers.length).toBe(100)
  attention.stop()
})
