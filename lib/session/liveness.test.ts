import { describe, expect, test } from 'vitest'
import { Liveness, livenessTiming, type LivenessVerdict } from './liveness.ts'

/** What happens at which second: a check and its verdict, or that something was heard. */
type LivenessEvents = readonly (readonly [second: number, happens: LivenessVerdict | 'heard'])[]

function expectVerdicts(events: LivenessEvents): void {
  const liveness = new Liveness(0)
  for (const [second, event] of events) {
    if (event === 'heard') liveness.onReceived(second * 1000)
    else expect([second, liveness.check(second * 1000)]).toEqual([second, event])
  }
}

const every = (from: number, to: number, verdict: LivenessVerdict): LivenessEvents => {
  const events: [number, LivenessVerdict][] = []
  for (let second = from; second <= to; second += livenessTiming.checkMs / 1000)
    events.push([second, verdict])
  return events
}

describe('[S7] liveness is judged by what was heard and by pings unanswered', () => {
  test('a link that speaks is never asked', () => {
    const events = every(2.5, 60, 'fine').flatMap(([second, verdict]) => [
      [second - 1, 'heard'] as const,
      [second, verdict] as const,
    ])
    expectVerdicts(events)
  })

  test('a silent one is asked once, and dead when it does not answer in time', () => {
    expectVerdicts([...every(2.5, 10, 'fine'), [12.5, 'ask'], [15, 'fine'], [17.5, 'fine'], [20, 'dead']])
  })

  test('an answer is life, and the next silence is asked again', () => {
    expectVerdicts([
      ...every(2.5, 10, 'fine'),
      [12.5, 'ask'],
      [17.5, 'heard'],
      ...every(20, 27.5, 'fine'),
      [30, 'ask'],
    ])
  })

  test('a check that comes late after sleep asks before it gives up', () => {
    expectVerdicts([
      [2.5, 'fine'],
      [300, 'ask'],
      [300.1, 'heard'],
      [302.5, 'fine'],
    ])
  })

  test('sleep between question and check is no proof of death: it asks once more', () => {
    expectVerdicts([
      ...every(2.5, 10, 'fine'),
      [12.5, 'ask'],
      [300, 'ask'],
      [302.5, 'fine'],
      [305, 'fine'],
      [307.5, 'dead'],
    ])
  })

  test('a page too busy to read an answer asks once more, too', () => {
    expectVerdicts([
      ...every(2.5, 10, 'fine'),
      [12.5, 'ask'],
      [15, 'fine'],
      [25, 'ask'],
      [27.5, 'fine'],
      [32.5, 'dead'],
    ])
  })

  test('a slow network is granted more', () => {
    const liveness = new Liveness(0)
    liveness.onPing(1_000)
    expect([6_500, 8_500, 11_000].map((now) => liveness.check(now, 9_000))).toEqual(['fine', 'fine', 'dead'])
  })

  test('a hidden window ticks once a minute: each late tick asks while it is answered', () => {
    expectVerdicts([
      [60, 'ask'],
      [60.2, 'heard'],
      [120, 'ask'],
      [120.2, 'heard'],
      [180, 'ask'],
    ])
  })

  test('a hidden window notices a dead link at the tick after the one that asked', () => {
    expectVerdicts([
      [30, 'heard'],
      [60, 'ask'],
      [120, 'dead'],
    ])
  })
})
