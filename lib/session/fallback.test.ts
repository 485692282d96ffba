import { describe, expect, test } from 'vitest'
import { settle } from '../fixtures/wait.ts'
import {
  ACCEPTS,
  HANGS,
  HOLDS_BACK,
  OPENS_AFTER,
  REFUSES,
  SEQUENCE,
  WHILE,
} from './fixtures/fake-transports.ts'
import { allTransports, startLinks, switchOutcome } from './fixtures/links-fixture.ts'

describe('[S5] falling back', () => {
  test('a refused transport is replaced at once', async () => {
    const fixture = await startLinks(allTransports({ websocket: REFUSES(403) }))
    expect(fixture.inUse).toBe('sse')
    expect(fixture.evidence).toEqual({ websocket: 'refused (403)', sse: 'in use' })
    expect(fixture.clock.now()).toBe(1_000_000)
  })

  test('behind a proxy that holds responses back: long polling, after one deadline', async () => {
    const fixture = await startLinks(
      allTransports({ websocket: REFUSES(403), sse: HOLDS_BACK, stream: HOLDS_BACK }),
    )
    await fixture.clock.pass(1_999)
    expect(fixture.inUse).toBe(undefined)
    await fixture.clock.pass(1)
    expect(fixture.inUse).toBe('long-poll')
    expect(fixture.evidence).toEqual({
      websocket: 'refused (403)',
      sse: 'held back: no answer within 2.0 s',
      stream: 'held back: no answer within 2.0 s',
      'long-poll': 'in use',
    })
    expect(fixture.attemptCounts.stream).toBe(0)
  })

  test.each([
    // Without a measurement, a round trip counts as half a second.
    [undefined, HANGS, 4_000],
    [undefined, HOLDS_BACK, 2_000],
    [300, HANGS, 3_200],
    [300, HOLDS_BACK, 3_200],
    // If the opening showed a slow network, there is one deadline more at most.
    [0, OPENS_AFTER(100, HOLDS_BACK), 2_400],
    [0, OPENS_AFTER(1_900, HOLDS_BACK), 4_000],
    [0, OPENS_AFTER(2_100, HOLDS_BACK), 2_000],
  ])('a round trip of %s ms: one deadline for opening and proof', async (roundTripMs, websocket, ms) => {
    const fixture = await startLinks({ websocket, roundTripMs })
    await fixture.clock.pass(ms - 1)
    expect([fixture.inUse, fixture.attemptCounts.sse]).toEqual([undefined, 0])
    await fixture.clock.pass(1)
    expect(fixture.inUse).toBe('sse')
    expect(fixture.evidence.websocket).toMatch(`no answer within ${(ms / 1000).toFixed(1)} s`)
    expect(fixture.transports.websocket.signals[0]!.aborted).toBe(true)
  })

  test('an attempt is shortened by what it shows of the network', async () => {
    const fixture = await startLinks({ websocket: HANGS, roundTripMs: undefined })
    await fixture.clock.pass(1_000)
    fixture.links.record.onRoundTrip(25)
    await fixture.clock.pass(1_100)
    expect(fixture.inUse).toBe('sse')
    expect(fixture.evidence.websocket).toBe('no answer within 2.1 s')
  })

  test('the session’s measurement counts before the platform’s', async () => {
    const fixture = await startLinks({ websocket: SEQUENCE(ACCEPTS, HANGS), roundTripMs: 1_000 })
    fixture.links.record.onRoundTrip(25)
    fixture.transports.websocket.last.drop()
    await fixture.clock.pass(125)
    expect(fixture.inUse).toBe('sse')
    await fixture.clock.pass(20_000 + 2 * 2_100)
    expect(fixture.evidence.websocket).toBe('no answer within 4.2 s') // nobody waits for a probe
  })

  test('on a network slower than thought: once everything failed, each gets twice the time', async () => {
    const slow = OPENS_AFTER(3_000, ACCEPTS)
    const fixture = await startLinks({ websocket: slow, sse: slow, roundTripMs: 0 })
    await fixture.clock.pass(4_000)
    expect(fixture.links.state).toMatchObject({ name: 'waiting', attempt: 0 })
    await fixture.clock.pass(3_250)
    expect(fixture.inUse).toBe('websocket')
  })

  test('falls back also after earlier success', async () => {
    const websocket = SEQUENCE(ACCEPTS, HOLDS_BACK)
    const sse = SEQUENCE(ACCEPTS, HOLDS_BACK)
    const fixture = await startLinks(allTransports({ websocket, sse, stream: HOLDS_BACK }))
    await fixture.clock.pass(60_000)
    fixture.transports.websocket.last.drop()
    await fixture.clock.pass(125 + 2_000)
    expect(fixture.inUse).toBe('sse')
    await fixture.clock.pass(5_000)
    fixture.transports.sse.last.drop()
    await settle()
    expect(fixture.inUse).toBe(undefined)
    await fixture.clock.pass(2_000)
    expect(fixture.inUse).toBe('long-poll')
  })

  test('a person’s pin is kept, without a fallback', async () => {
    const fixture = await startLinks({ wanted: 'sse', sse: SEQUENCE(REFUSES(503), REFUSES(503), ACCEPTS) })
    expect(fixture.links.state.name).toBe('waiting')
    await fixture.clock.pass(2_000)
    expect([fixture.inUse, fixture.attemptCounts.websocket]).toEqual(['sse', 0])
  })

  test('a pin that either side cannot use is given up', async () => {
    const unknown = await startLinks({ wanted: 'poll' })
    expect([unknown.inUse, unknown.links.chooser.wanted]).toEqual(['websocket', 'automatic'])
    const fixture = await startLinks(
      allTransports({ wanted: 'stream', stream: REFUSES('404', 'not-offered') }),
    )
    expect([fixture.inUse, fixture.links.chooser.wanted]).toEqual(['websocket', 'automatic'])
    fixture.links.onOffers(['websocket', 'sse'])
    expect(fixture.links.chooser.offered).toEqual(['websocket', 'sse'])
    expect(fixture.links.chooser.findings.at(-1)).toEqual({
      transport: 'poll',
      words: 'not offered by this server',
    })
    expect(await switchOutcome(fixture, 'poll')).toMatch(/poll is not offered here/)
    expect([fixture.inUse, fixture.links.chooser.wanted]).toEqual(['websocket', 'automatic'])
  })

  test('an outage blames no transport: afterwards the best is in use', async () => {
    let offline = false
    const cut = (id: string) => WHILE(() => offline, REFUSES(`${id} is offline`), ACCEPTS)
    const fixture = await startLinks({
      websocket: cut('websocket'),
      sse: cut('sse'),
      stream: cut('stream'),
      'long-poll': cut('long-poll'),
      poll: cut('poll'),
    })
    await fixture.clock.pass(60_000)
    offline = true
    fixture.transports.websocket.last.drop()
    await fixture.clock.pass(30_000)
    expect(fixture.links.state.name).toBe('waiting')
    expect(fixture.attemptCounts.poll).toBeGreaterThan(3)
    offline = false
    await fixture.clock.pass(15_000)
    expect(fixture.inUse).toBe('websocket')
  })
})

describe('[S5] uploads that are held back', () => {
  test('the same transport is opened anew with POSTs alone, before the old link goes', async () => {
    const fixture = await startLinks({ wanted: 'sse' })
    const held = fixture.links.current!
    expect(held.info.up).toBe('streamed body')
    fixture.links.reopenWithPosts()
    await settle()
    expect(fixture.links.current?.info.up).not.toBe('streamed body')
    expect([fixture.gapCount, fixture.evidence.sse]).toEqual([0, 'in use'])
    fixture.links.onDrained(held)
    expect(fixture.evidence.sse).toBe('in use, by single requests: a streamed one was held back')
    fixture.transports.sse.last.drop()
    await fixture.clock.pass(1_000)
    expect(fixture.links.current?.info.up).not.toBe('streamed body')
  })

  test('a link that was dead both ways says nothing about uploads', async () => {
    const fixture = await startLinks({ wanted: 'sse' })
    fixture.links.reopenWithPosts()
    await fixture.clock.pass(5_000)
    expect(fixture.evidence.sse).toBe('in use')
    fixture.transports.sse.last.drop()
    await fixture.clock.pass(1_000)
    expect(fixture.links.current?.info.up).toBe('streamed body')
  })

  test('a requested switch says nothing about uploads', async () => {
    const fixture = await startLinks()
    const old = fixture.links.current!
    await switchOutcome(fixture, 'sse')
    fixture.links.onDrained(old)
    expect(fixture.evidence).toEqual({ websocket: 'worked', sse: 'in use' })
  })

  test('if the new link fails, the old one stays in use', async () => {
    const fixture = await startLinks({ wanted: 'sse', sse: SEQUENCE(ACCEPTS, REFUSES(500)) })
    fixture.links.reopenWithPosts()
    await settle()
    expect([fixture.inUse, fixture.gapCount, fixture.evidence.sse]).toEqual(['sse', 0, 'in use'])
  })
})
