import { describe, expect, test } from 'vitest'
import { Liveness, livenessTiming, type LivenessVerdict } from './liveness.ts'

/** What happens at which second: a check and its verdict, or bytes received. */
type LivenessEvents = readonly (readonly [second: number, happens: LivenessVerdict | 'received'])[]

function expectVerdicts(events: LivenessEvents): void {
  const liveness = new Liveness(0)
  for (const [second, event] of events) {
    if (event === 'received') liveness.onReceived(second * 1000)
    else expect([second, liveness.check(second * 1000)]).toEqual([second, event])
  }
}

const every = (from: number, to: number, verdict: LivenessVerdict): LivenessEvents => {
  const events: [number, LivenessVerdict][] = []
  for (let second = from; second <= to; second += livenessTiming.checkMs / 1000)
    events.push([second, verdict])
  return events
}

describe('[S7] liveness is judged by what was received and by pings left unanswered', () => {
  test('a link that receives frames is never pinged', () => {
    const events = every(2.5, 60, 'fine').flatMap(([second, verdict]) => [
      [second - 1, 'received'] as const,
      [second, verdict] as const,
    ])
    expectVerdicts(events)
  })

  test('a silent link is pinged once, and dead if it does not answer in time', () => {
    expectVerdicts([...every(2.5, 10, 'fine'), [12.5, 'ask'], [15, 'fine'], [17.5, 'fine'], [20, 'dead']])
  })

  test('an answer is a sign of life, and the next silence causes another ping', () => {
    expectVerdicts([
      ...every(2.5, 10, 'fine'),
      [12.5, 'ask'],
      [17.5, 'received'],
      ...every(20, 27.5, 'fine'),
      [30, 'ask'],
    ])
  })

  test('a late check after sleep pings before it gives up', () => {
    expectVerdicts([
      [2.5, 'fine'],
      [300, 'ask'],
      [300.1, 'received'],
      [302.5, 'fine'],
    ])
  })

  test('sleep between ping and check proves nothing: it pings once more', () => {
    expectVerdicts([
      ...every(2.5, 10, 'fine'),
      [12.5, 'ask'],
      [300, 'ask'],
      [302.5, 'fine'],
      [305, 'fine'],
      [307.5, 'dead'],
    ])
  })

  test('a page too busy to read an answer also pings once more', () => {
    expectVerdicts([
      ...every(2.5, 10, 'fine'),
      [12.5, 'ask'],
      [15, 'fine'],
      [25, 'ask'],
      [27.5, 'fine'],
      [32.5, 'dead'],
    ])
  })

  test('a slow network gets more time', () => {
    const liveness = new Liveness(0)
    liveness.onPing(1_000)
    expect([6_500, 8_500, 11_000].map((now) => liveness.check(now, 9_000))).toEqual(['fine', 'fine', 'dead'])
  })

  test('a hidden window checks once a minute: each late check pings while answers come', () => {
    expectVerdicts([
      [60, 'ask'],
      [60.2, 'received'],
      [120, 'ask'],
      [120.2, 'received'],
      [180, 'ask'],
    ])
  })

  test('a hidden window notices a dead link at the check after the one that pinged', () => {
    expectVerdicts([
      [30, 'received'],
      [60, 'ask'],
      [120, 'dead'],
    ])
  })
})
