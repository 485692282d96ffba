import { describe, expect, test } from 'vitest'
import {
  ACCEPTS,
  ACCEPTS_THEN_DROPS,
  HANGS,
  HOLDS_BACK,
  OPENS_AFTER,
  REFUSES,
  SEQUENCE,
  WHILE,
} from './fixtures/fake-transports.ts'
import {
  startLinks,
  switchOutcome,
  type LinksFixture,
  type LinksFixtureOptions,
} from './fixtures/links-fixture.ts'
import { settle } from '../fixtures/wait.ts'

/** Every transport. */
const every = (options: LinksFixtureOptions = {}): LinksFixtureOptions => ({
  stream: ACCEPTS,
  'long-poll': ACCEPTS,
  poll: ACCEPTS,
  ...options,
})

const nothingAnswers: LinksFixtureOptions = {
  websocket: REFUSES('offline'),
  sse: REFUSES('offline'),
  stream: REFUSES('offline'),
  'long-poll': REFUSES('offline'),
  poll: REFUSES('offline'),
}

const total = ({ attemptCounts }: LinksFixture): number =>
  Object.values(attemptCounts).reduce((sum, count) => sum + count, 0)

describe('[S5] falling back', () => {
  test('a refused transport is replaced at once', async () => {
    const fixture = await startLinks(every({ websocket: REFUSES(403) }))
    expect(fixture.inUse).toBe('sse')
    expect(fixture.evidence).toEqual({ websocket: 'refused (403)', sse: 'in use' })
    expect(fixture.clock.now()).toBe(1_000_000)
  })

  test('behind a proxy that holds responses back: long polling, after one deadline', async () => {
    const fixture = await startLinks(every({ websocket: REFUSES(403), sse: HOLDS_BACK, stream: HOLDS_BACK }))
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
    const fixture = await startLinks(every({ websocket, sse, stream: HOLDS_BACK }))
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
    const fixture = await startLinks(every({ wanted: 'stream', stream: REFUSES('404', 'not-offered') }))
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

describe('[S8] coming back after a loss', () => {
  test('a link that lasted is tried again first, after a jittered moment', async () => {
    const fixture = await startLinks()
    await fixture.clock.pass(60_000)
    fixture.transports.websocket.last.drop()
    expect(fixture.links.state).toMatchObject({ name: 'waiting', attempt: 0 })
    await fixture.clock.pass(124)
    expect(fixture.inUse).toBe(undefined)
    await fixture.clock.pass(1)
    expect(fixture.inUse).toBe('websocket')
    expect(fixture.links.record.longestGapMs).toBe(125)
  })

  test('the lost transport is tried only once, then the others', async () => {
    const fixture = await startLinks({ websocket: SEQUENCE(ACCEPTS, REFUSES('gone')) })
    await fixture.clock.pass(60_000)
    fixture.transports.websocket.last.drop()
    await fixture.clock.pass(125)
    expect([fixture.inUse, fixture.attemptCounts.websocket]).toEqual(['sse', 2])
  })

  test('once all transports were tried there is a wait, longer each time', async () => {
    const fixture = await startLinks(nothingAnswers)
    expect(fixture.attemptCounts).toEqual({ websocket: 1, sse: 1, stream: 1, 'long-poll': 1, poll: 1 })
    expect(fixture.links.state).toMatchObject({ name: 'waiting', attempt: 0 })
    await fixture.clock.pass(125)
    expect([total(fixture), fixture.links.state]).toMatchObject([10, { name: 'waiting', attempt: 1 }])
    await fixture.clock.pass(250)
    expect([total(fixture), fixture.links.state]).toMatchObject([15, { name: 'waiting', attempt: 2 }])
  })

  test('[S8] a client is back within 5 s of the server’s return, however often the link died before', async () => {
    const waits: number[] = []
    let chance = 0
    // The multiples of the golden ratio are spread evenly over [0, 1).
    const random = () => (chance = (chance + 0.618_033_989) % 1)
    for (let window = 0; window < 40; window++) {
      let isDead = false
      const server = WHILE(() => isDead, REFUSES('connection refused'), ACCEPTS)
      const fixture = await startLinks({
        websocket: server,
        sse: server,
        stream: server,
        'long-poll': server,
        poll: server,
      })
      fixture.clock.random = random
      for (let death = 0; death < 8; death++) {
        isDead = true
        fixture.transports[fixture.inUse as 'websocket'].last.drop()
        await fixture.clock.pass(20_000 * random())
        isDead = false
        const since = fixture.clock.now()
        while (!fixture.inUse) await fixture.clock.pass(100)
        waits.push(fixture.clock.now() - since)
        await fixture.clock.pass(3_000 * random())
      }
    }
    waits.sort((a, b) => a - b)
    expect(waits[Math.floor(0.95 * waits.length)]).toBeLessThan(4_500)
    expect(waits.at(-1)).toBeLessThanOrEqual(5_100)
  })

  test('links cut right after every proof are opened ever more slowly', async () => {
    const fixture = await startLinks({ websocket: ACCEPTS_THEN_DROPS(50), sse: ACCEPTS_THEN_DROPS(50) })
    await fixture.clock.pass(60_000)
    expect(fixture.attemptCounts.websocket).toBeGreaterThan(2)
    expect(fixture.attemptCounts.websocket! + fixture.attemptCounts.sse!).toBeLessThan(60)
  })

  test('a transport that is refused, then dropped, then accepted ends up in use', async () => {
    const websocket = SEQUENCE(REFUSES(403), ACCEPTS_THEN_DROPS(5), ACCEPTS)
    const fixture = await startLinks({ wanted: 'websocket', websocket })
    await fixture.clock.pass(5_000)
    expect([fixture.links.state.name, fixture.attemptCounts.websocket]).toEqual(['up', 3])
  })

  test('the server’s retry-after is obeyed, also when the window comes back', async () => {
    const sse = SEQUENCE(REFUSES(503, 'overloaded', 4_000), ACCEPTS)
    const fixture = await startLinks({ wanted: 'sse', sse })
    fixture.links.skipWait()
    fixture.links.onNetworkChange()
    await fixture.clock.pass(3_999)
    expect(fixture.attemptCounts.sse).toBe(1)
    await fixture.clock.pass(2_001)
    expect(fixture.inUse).toBe('sse')
  })

  test('retry-after is obeyed also if a person asks to try now', async () => {
    const fixture = await startLinks({
      wanted: 'sse',
      sse: SEQUENCE(REFUSES(503, 'overloaded', 4_000), ACCEPTS),
    })
    fixture.links.tryNow()
    await fixture.clock.pass(3_999)
    expect(fixture.attemptCounts.sse).toBe(1)
  })

  test('a wait of our own ends if a person asks to try now', async () => {
    const fixture = await startLinks({ wanted: 'sse', sse: SEQUENCE(REFUSES('no network'), ACCEPTS) })
    fixture.links.tryNow()
    await settle()
    expect(fixture.inUse).toBe('sse')
    fixture.links.tryNow()
    await fixture.clock.pass(60_000)
    expect(fixture.attemptCounts.sse).toBe(2)
  })

  test('a hanging attempt begins anew if a person asks to try now', async () => {
    const fixture = await startLinks({ wanted: 'sse', sse: SEQUENCE(HANGS, ACCEPTS) })
    expect(fixture.links.state.name).toBe('connecting')
    fixture.links.tryNow()
    await settle()
    expect([fixture.inUse, fixture.attemptCounts.sse, fixture.links.state.name]).toEqual(['sse', 2, 'up'])
  })

  test('a busy server causes no fallback', async () => {
    const fixture = await startLinks({ websocket: SEQUENCE(REFUSES(503, 'overloaded'), ACCEPTS) })
    expect(fixture.evidence).toEqual({ websocket: 'the server is busy' })
    await fixture.clock.pass(250)
    expect([fixture.inUse, fixture.attemptCounts.sse]).toEqual(['websocket', 0])
  })

  test('a wait of our own ends when the window or the network comes back', async () => {
    const fixture = await startLinks({ wanted: 'sse', sse: SEQUENCE(REFUSES('no network'), ACCEPTS) })
    fixture.links.skipWait()
    await settle()
    expect(fixture.inUse).toBe('sse')
    await fixture.clock.pass(60_000)
    expect(fixture.attemptCounts.sse).toBe(2)
  })
})

describe('[S5] probing upward', () => {
  /** WebSocket is refused for so many attempts. */
  const refusedFor = (times: number) =>
    SEQUENCE(...Array.from({ length: times }, () => REFUSES(403)), ACCEPTS)

  test('once the fault is over the better transport takes over, without a moment without a link', async () => {
    const fixture = await startLinks(every({ websocket: refusedFor(2) }))
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
