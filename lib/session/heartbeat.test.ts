import { describe, expect, test } from 'vitest'
import { ManualClock } from './fixtures/manual-clock.ts'
import { Heartbeat } from './heartbeat.ts'

function world() {
  const clock = new ManualClock()
  const pings: number[] = []
  const seen = { dead: 0, linked: true }
  const heartbeat = new Heartbeat({
    clock,
    answerMs: () => 2_200,
    ping: (token) => {
      if (seen.linked) pings.push(token)
      return seen.linked
    },
    dead: () => (seen.dead += 1),
  })
  heartbeat.start()
  return { clock, pings, seen, heartbeat }
}

describe('[S7] the heartbeat', () => {
  test('a half-open link is noticed within 20 s', async () => {
    const { clock, pings, seen } = world()
    await clock.pass(20_000)
    expect([pings, seen.dead]).toEqual([[1], 1])
  })

  test('whoever doubts gets an answer as soon as there can be one', async () => {
    const { clock, pings, seen, heartbeat } = world()
    await clock.pass(1_000)
    heartbeat.askNow()
    await clock.pass(2_200)
    expect([pings, seen.dead]).toEqual([[1], 0])
    await clock.pass(1)
    expect(seen.dead).toBe(1)
  })

  test('a doubt that is repeated delays nothing', async () => {
    const { clock, seen, heartbeat } = world()
    for (let second = 0; second < 3; second++) {
      heartbeat.askNow()
      await clock.pass(1_000)
    }
    expect(seen.dead).toBe(1)
  })

  test('an answer measures the round trip, and is life', async () => {
    const { clock, seen, heartbeat } = world()
    heartbeat.askNow()
    await clock.pass(80)
    heartbeat.heard()
    expect([heartbeat.answered(1), heartbeat.answered(0)]).toEqual([80, undefined])
    await clock.pass(5_000)
    expect(seen.dead).toBe(0)
  })

  test('without a link nobody is asked, and the next link is not blamed', async () => {
    const { clock, pings, seen, heartbeat } = world()
    seen.linked = false
    heartbeat.askNow()
    await clock.pass(5_000)
    seen.linked = true
    heartbeat.heard()
    await clock.pass(5_000)
    expect([pings, seen.dead]).toEqual([[], 0])
  })

  test('stopped, it asks no more', async () => {
    const { clock, pings, heartbeat } = world()
    heartbeat.askNow()
    heartbeat.stop()
    await clock.pass(60_000)
    expect([pings, clock.timers]).toEqual([[1], 0])
  })
})
