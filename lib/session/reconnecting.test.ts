import { describe, expect, test } from 'vitest'
import { settle } from '../fixtures/wait.ts'
import { networkTransports } from '../transports/descriptors.ts'
import { ACCEPTS, ACCEPTS_THEN_DROPS, HANGS, REFUSES, SEQUENCE, WHILE } from './fixtures/fake-transports.ts'
import { everyTransport, nothingAnswers, startLinks, totalAttempts } from './fixtures/links-fixture.ts'

describe('[S8] reconnecting after a loss', () => {
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
    const count = networkTransports.length
    expect(fixture.attemptCounts).toEqual(Object.fromEntries(networkTransports.map((id) => [id, 1])))
    expect(fixture.links.state).toMatchObject({ name: 'waiting', attempt: 0 })
    await fixture.clock.pass(125)
    expect([totalAttempts(fixture), fixture.links.state]).toMatchObject([
      2 * count,
      { name: 'waiting', attempt: 1 },
    ])
    await fixture.clock.pass(250)
    expect([totalAttempts(fixture), fixture.links.state]).toMatchObject([
      3 * count,
      { name: 'waiting', attempt: 2 },
    ])
  })

  test('[S8] a client is back within 5 s of the server’s return, however often the link died before', async () => {
    const waits: number[] = []
    let chance = 0
    // The multiples of the golden ratio are spread evenly over [0, 1).
    const random = () => (chance = (chance + 0.618_033_989) % 1)
    for (let window = 0; window < 40; window++) {
      let isDead = false
      const server = WHILE(() => isDead, REFUSES('connection refused'), ACCEPTS)
      const fixture = await startLinks(everyTransport(server))
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
