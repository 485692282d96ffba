import { describe, expect, test } from 'vitest'
import { ManualClock } from './fixtures/manual-clock.ts'
import { Heartbeat } from './heartbeat.ts'

function createFixture() {
  const clock = new ManualClock()
  const pings: number[] = []
  const state = { dead: 0, linked: true }
  const heartbeat = new Heartbeat({
    clock,
    answerMs: () => 2_200,
    ping: (token) => {
      if (state.linked) pings.push(token)
      return state.linked
    },
    onDead: () => (state.dead += 1),
  })
  heartbeat.start()
  return { clock, pings, state, heartbeat }
}

describe('[S7] the heartbeat', () => {
  test('a half-open link is noticed within 20 s', async () => {
    const { clock, pings, state } = createFixture()
    await clock.pass(20_000)
    expect([pings, state.dead]).toEqual([[1], 1])
  })

  test('a link in doubt is judged as soon as there can be an answer', async () => {
    const { clock, pings, state, heartbeat } = createFixture()
    await clock.pass(1_000)
    heartbeat.pingNow()
    await clock.pass(2_200)
    expect([pings, state.dead]).toEqual([[1], 0])
    await clock.pass(1)
    expect(state.dead).toBe(1)
  })

  test('a repeated doubt delays nothing', async () => {
    const { clock, state, heartbeat } = createFixture()
    for (let second = 0; second < 3; second++) {
      heartbeat.pingNow()
      await clock.pass(1_000)
    }
    expect(state.dead).toBe(1)
  })

  test('an answer measures the round trip, and is a sign of life', async () => {
    const { clock, state, heartbeat } = createFixture()
    heartbeat.pingNow()
    await clock.pass(80)
    heartbeat.onReceived()
    expect([heartbeat.roundTripOf(1), heartbeat.roundTripOf(0)]).toEqual([80, undefined])
    await clock.pass(5_000)
    expect(state.dead).toBe(0)
  })

  test('without a link no ping is sent, and the next link is not blamed', async () => {
    const { clock, pings, state, heartbeat } = createFixture()
    state.linked = false
    heartbeat.pingNow()
    await clock.pass(5_000)
    state.linked = true
    heartbeat.onReceived()
    await clock.pass(5_000)
    expect([pings, state.dead]).toEqual([[], 0])
  })

  test('after stop no ping is sent', async () => {
    const { clock, pings, heartbeat } = createFixture()
    heartbeat.pingNow()
    heartbeat.stop()
    await clock.pass(60_000)
    expect([pings, clock.timers]).toEqual([[1], 0])
  })
})
