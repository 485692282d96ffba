import { describe, expect, test } from 'vitest'
import { settle } from '../fixtures/wait.ts'
import {
  ACCEPTS,
  ACCEPTS_THEN_DROPS,
  HANGS,
  OPENS_AFTER,
  REFUSES,
  SEQUENCE,
  WHILE,
} from './fixtures/fake-transports.ts'
import { allTransports, startLinks, switchOutcome } from './fixtures/links-fixture.ts'

describe('[S5] probing upward', () => {
  /** WebSocket is refused for so many attempts. */
  const refusedFor = (times: number) =>
    SEQUENCE(...Array.from({ length: times }, () => REFUSES(403)), ACCEPTS)

  test('once the fault is over the better transport takes over, without a moment without a link', async () => {
    const fixture = await startLinks(allTransports({ websocket: refusedFor(2) }))
    await fixture.clock.pass(9_999)
    expect(fixture.attemptCounts.websocket).toBe(1)
    await fixture.clock.pass(1)
    expect([fixture.inUse, fixture.attemptCounts.websocket]).toEqual(['sse', 2])
    expect(fixture.links.chooser.nextProbe).toMatchObject({ transport: 'websocket', at: 1_030_000 })
    await fixture.clock.pass(20_000)
    expect([fixture.inUse, fixture.gapCount, fixture.links.record.switches]).toEqual(['websocket', 0, 1])
    expect(fixture.evidence).toEqual({ websocket: 'in use', sse: 'worked' })
    expect(fixture.links.chooser.nextProbe).toBe(null)
  })

  test('a probe is no switch that anybody asked for', async () => {
    const fixture = await startLinks({ websocket: SEQUENCE(REFUSES(403), HANGS) })
    await fixture.clock.pass(10_000)
    expect([fixture.attemptCounts.websocket, fixture.links.switchingTo]).toEqual([2, undefined])
    expect(fixture.links.chooser.wanted).toBe('automatic')
  })

  test('probes become ever rarer', async () => {
    const fixture = await startLinks({ websocket: REFUSES(403) })
    await fixture.clock.pass(3_600_000)
    expect(fixture.attemptCounts.websocket).toBe(11) // at 0, 10, 30, 70, 150, 310, 630 s, then every ten minutes
    expect(fixture.gapCount).toBe(0)
  })

  test('a transport that is won and lost again is probed later each time', async () => {
    const websocket = SEQUENCE(REFUSES(403), ACCEPTS_THEN_DROPS(3_000))
    const fixture = await startLinks({ websocket })
    await fixture.clock.pass(600_000)
    expect(fixture.inUse).toBe('sse')
    expect(fixture.attemptCounts.websocket).toBeLessThan(6)
    expect(fixture.evidence.websocket).toMatch(/closed early \w+ times/)
    expect(fixture.links.record.longestGapMs).toBe(0)
  })

  test('a pin is never probed away', async () => {
    const fixture = await startLinks({ wanted: 'sse' })
    await fixture.clock.pass(3_600_000)
    expect([fixture.inUse, fixture.attemptCounts.websocket, fixture.clock.timers]).toEqual(['sse', 0, 0])
  })

  test('a person’s own choice takes precedence over a probe', async () => {
    const websocket = SEQUENCE(REFUSES(403), HANGS)
    const fixture = await startLinks({ websocket, stream: ACCEPTS })
    await fixture.clock.pass(10_000)
    expect(await switchOutcome(fixture, 'stream')).toBe('switched')
    expect(fixture.transports.websocket.signals[1]!.aborted).toBe(true)
    expect([fixture.inUse, fixture.evidence.websocket]).toEqual(['stream', 'refused (403)'])
  })

  test('if the lower link is lost meanwhile, the better one that is being tried takes over', async () => {
    const websocket = SEQUENCE(REFUSES(403), OPENS_AFTER(400, ACCEPTS))
    const fixture = await startLinks({ websocket })
    await fixture.clock.pass(10_100)
    fixture.transports.sse.last.drop()
    expect(fixture.links.state.name).toBe('connecting')
    await fixture.clock.pass(300)
    expect([fixture.inUse, fixture.attemptCounts.sse]).toEqual(['websocket', 1])
  })
})

describe('[S5] a change of network', () => {
  test('makes evidence outdated, and the better transport is tried at once', async () => {
    let blocked = true
    const fixture = await startLinks({ websocket: WHILE(() => blocked, REFUSES(403), ACCEPTS) })
    await fixture.clock.pass(200_000)
    expect(fixture.inUse).toBe('sse')
    blocked = false
    fixture.links.onNetworkChange()
    await fixture.clock.pass(0)
    expect([fixture.inUse, fixture.gapCount]).toEqual(['websocket', 0])
  })

  test('leaves outdated evidence readable', async () => {
    const fixture = await startLinks({ websocket: REFUSES(403) })
    fixture.links.onNetworkChange()
    expect(fixture.evidence).toEqual({
      websocket: 'refused (403), before the network changed',
      sse: 'in use',
    })
  })

  test('restarts an attempt under way and ends a wait', async () => {
    const fixture = await startLinks({ websocket: SEQUENCE(HANGS, ACCEPTS) })
    fixture.links.onNetworkChange()
    await settle()
    expect([fixture.inUse, fixture.attemptCounts.websocket]).toEqual(['websocket', 2])
    const waiting = await startLinks({ wanted: 'sse', sse: SEQUENCE(REFUSES('offline'), ACCEPTS) })
    waiting.links.onNetworkChange()
    await settle()
    expect(waiting.inUse).toBe('sse')
  })
})
