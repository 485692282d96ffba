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
import { started, switching, type World, type WorldOptions } from './fixtures/links-world.ts'
import { settle } from './fixtures/manual-clock.ts'

/** All there are. */
const every = (options: WorldOptions = {}): WorldOptions => ({
  stream: ACCEPTS,
  'long-poll': ACCEPTS,
  poll: ACCEPTS,
  ...options,
})

const nothingAnswers: WorldOptions = {
  websocket: REFUSES('offline'),
  sse: REFUSES('offline'),
  stream: REFUSES('offline'),
  'long-poll': REFUSES('offline'),
  poll: REFUSES('offline'),
}

const total = ({ attempts }: World): number => Object.values(attempts).reduce((sum, count) => sum + count, 0)

describe('[S5] falling back', () => {
  test('what is refused gives way at once', async () => {
    const world = await started(every({ websocket: REFUSES(403) }))
    expect(world.inUse).toBe('sse')
    expect(world.evidence).toEqual({ websocket: 'refused (403)', sse: 'in use' })
    expect(world.clock.now()).toBe(1_000_000)
  })

  test('behind a proxy that holds responses back: long polling, after one deadline', async () => {
    const world = await started(every({ websocket: REFUSES(403), sse: HOLDS_BACK, stream: HOLDS_BACK }))
    await world.clock.pass(1_999)
    expect(world.inUse).toBe(undefined)
    await world.clock.pass(1)
    expect(world.inUse).toBe('long-poll')
    expect(world.evidence).toEqual({
      websocket: 'refused (403)',
      sse: 'held back: no answer within 2.0 s',
      stream: 'held back: no answer within 2.0 s',
      'long-poll': 'in use',
    })
    expect(world.attempts.stream).toBe(0)
  })

  test.each([
    // Where nothing was measured, a round trip is taken for half a second.
    [undefined, HANGS, 4_000],
    [undefined, HOLDS_BACK, 2_000],
    [300, HANGS, 3_200],
    [300, HOLDS_BACK, 3_200],
    // One deadline more at most, where the opening showed a slow network.
    [0, OPENS_AFTER(100, HOLDS_BACK), 2_400],
    [0, OPENS_AFTER(1_900, HOLDS_BACK), 4_000],
    [0, OPENS_AFTER(2_100, HOLDS_BACK), 2_000],
  ])('a round trip of %s ms: one deadline for opening and proof', async (roundTripMs, websocket, ms) => {
    const world = await started({ websocket, roundTripMs })
    await world.clock.pass(ms - 1)
    expect([world.inUse, world.attempts.sse]).toEqual([undefined, 0])
    await world.clock.pass(1)
    expect(world.inUse).toBe('sse')
    expect(world.evidence.websocket).toMatch(`no answer within ${(ms / 1000).toFixed(1)} s`)
    expect(world.transports.websocket.signals[0]!.aborted).toBe(true)
  })

  test('what an attempt itself shows of the network shortens it', async () => {
    const world = await started({ websocket: HANGS, roundTripMs: undefined })
    await world.clock.pass(1_000)
    world.links.record.roundTripMs = 25
    await world.clock.pass(1_100)
    expect(world.inUse).toBe('sse')
    expect(world.evidence.websocket).toBe('no answer within 2.1 s')
  })

  test('what the session measured goes before what the platform saw', async () => {
    const world = await started({ websocket: SEQUENCE(ACCEPTS, HANGS), roundTripMs: 1_000 })
    world.links.record.roundTripMs = 25
    world.transports.websocket.last.drop()
    await world.clock.pass(125)
    expect(world.inUse).toBe('sse')
    await world.clock.pass(20_000 + 2 * 2_100)
    expect(world.evidence.websocket).toBe('no answer within 4.2 s') // nobody waits for a probe
  })

  test('on a network slower than thought: once everything failed, each gets twice the time', async () => {
    const slow = OPENS_AFTER(3_000, ACCEPTS)
    const world = await started({ websocket: slow, sse: slow, roundTripMs: 0 })
    await world.clock.pass(4_000)
    expect(world.links.state).toMatchObject({ name: 'waiting', attempt: 0 })
    await world.clock.pass(3_250)
    expect(world.inUse).toBe('websocket')
  })

  test('also after earlier success', async () => {
    const websocket = SEQUENCE(ACCEPTS, HOLDS_BACK)
    const sse = SEQUENCE(ACCEPTS, HOLDS_BACK)
    const world = await started(every({ websocket, sse, stream: HOLDS_BACK }))
    await world.clock.pass(60_000)
    world.transports.websocket.last.drop()
    await world.clock.pass(125 + 2_000)
    expect(world.inUse).toBe('sse')
    await world.clock.pass(5_000)
    world.transports.sse.last.drop()
    await settle()
    expect(world.inUse).toBe(undefined)
    await world.clock.pass(2_000)
    expect(world.inUse).toBe('long-poll')
  })

  test('a person’s pin is not fallen back from', async () => {
    const world = await started({ wanted: 'sse', sse: SEQUENCE(REFUSES(503), REFUSES(503), ACCEPTS) })
    expect(world.links.state.name).toBe('waiting')
    await world.clock.pass(2_000)
    expect([world.inUse, world.attempts.websocket]).toEqual(['sse', 0])
  })

  test('a pin on what this side cannot do, or the server has no door for, is given up', async () => {
    const unknown = await started({ wanted: 'poll' })
    expect([unknown.inUse, unknown.links.chooser.wanted]).toEqual(['websocket', 'automatic'])
    const world = await started(every({ wanted: 'stream', stream: REFUSES('404', 'not-offered') }))
    expect([world.inUse, world.links.chooser.wanted]).toEqual(['websocket', 'automatic'])
    world.links.offeredByServer(['websocket', 'sse'])
    expect(world.links.chooser.offered).toEqual(['websocket', 'sse'])
    expect(world.links.chooser.findings.at(-1)).toEqual({
      transport: 'poll',
      words: 'not offered by this server',
    })
    expect(await switching(world, 'poll')).toMatch(/poll is not offered here/)
    expect([world.inUse, world.links.chooser.wanted]).toEqual(['websocket', 'automatic'])
  })

  test('an outage is nobody’s fault: afterwards the best is in use', async () => {
    let offline = false
    const cut = (id: string) => WHILE(() => offline, REFUSES(`${id} is offline`), ACCEPTS)
    const world = await started({
      websocket: cut('websocket'),
      sse: cut('sse'),
      stream: cut('stream'),
      'long-poll': cut('long-poll'),
      poll: cut('poll'),
    })
    await world.clock.pass(60_000)
    offline = true
    world.transports.websocket.last.drop()
    await world.clock.pass(30_000)
    expect(world.links.state.name).toBe('waiting')
    expect(world.attempts.poll).toBeGreaterThan(3)
    offline = false
    await world.clock.pass(15_000)
    expect(world.inUse).toBe('websocket')
  })
})

describe('[S8] coming back after a loss', () => {
  test('a link that lasted is tried again first, after a jittered moment', async () => {
    const world = await started()
    await world.clock.pass(60_000)
    world.transports.websocket.last.drop()
    expect(world.links.state).toMatchObject({ name: 'waiting', attempt: 0 })
    await world.clock.pass(124)
    expect(world.inUse).toBe(undefined)
    await world.clock.pass(1)
    expect(world.inUse).toBe('websocket')
    expect(world.links.record.longestGapMs).toBe(125)
  })

  test('once: then the others', async () => {
    const world = await started({ websocket: SEQUENCE(ACCEPTS, REFUSES('gone')) })
    await world.clock.pass(60_000)
    world.transports.websocket.last.drop()
    await world.clock.pass(125)
    expect([world.inUse, world.attempts.websocket]).toEqual(['sse', 2])
  })

  test('once all were tried there is a wait, longer each time', async () => {
    const world = await started(nothingAnswers)
    expect(world.attempts).toEqual({ websocket: 1, sse: 1, stream: 1, 'long-poll': 1, poll: 1 })
    expect(world.links.state).toMatchObject({ name: 'waiting', attempt: 0 })
    await world.clock.pass(125)
    expect([total(world), world.links.state]).toMatchObject([10, { name: 'waiting', attempt: 1 }])
    await world.clock.pass(250)
    expect([total(world), world.links.state]).toMatchObject([15, { name: 'waiting', attempt: 2 }])
  })

  test('[S8] whoever lost a link is back within 5 s of the server, however often it died before', async () => {
    const waits: number[] = []
    let chance = 0
    // The multiples of the golden ratio are spread evenly over [0, 1).
    const random = () => (chance = (chance + 0.618_033_989) % 1)
    for (let window = 0; window < 40; window++) {
      let isDead = false
      const server = WHILE(() => isDead, REFUSES('connection refused'), ACCEPTS)
      const world = await started({
        websocket: server,
        sse: server,
        stream: server,
        'long-poll': server,
        poll: server,
      })
      world.clock.random = random
      for (let death = 0; death < 8; death++) {
        isDead = true
        world.transports[world.inUse as 'websocket'].last.drop()
        await world.clock.pass(20_000 * random())
        isDead = false
        const since = world.clock.now()
        while (!world.inUse) await world.clock.pass(100)
        waits.push(world.clock.now() - since)
        await world.clock.pass(3_000 * random())
      }
    }
    waits.sort((a, b) => a - b)
    expect(waits[Math.floor(0.95 * waits.length)]).toBeLessThan(4_500)
    expect(waits.at(-1)).toBeLessThanOrEqual(5_100)
  })

  test('those cut right after every proof are opened ever more slowly', async () => {
    const world = await started({ websocket: ACCEPTS_THEN_DROPS(50), sse: ACCEPTS_THEN_DROPS(50) })
    await world.clock.pass(60_000)
    expect(world.attempts.websocket).toBeGreaterThan(2)
    expect(world.attempts.websocket! + world.attempts.sse!).toBeLessThan(60)
  })

  test('refused, then dropped, then accepted: it ends up', async () => {
    const websocket = SEQUENCE(REFUSES(403), ACCEPTS_THEN_DROPS(5), ACCEPTS)
    const world = await started({ wanted: 'websocket', websocket })
    await world.clock.pass(5_000)
    expect([world.links.state.name, world.attempts.websocket]).toEqual(['up', 3])
  })

  test('the server’s retry-after is obeyed, also when the window comes back', async () => {
    const sse = SEQUENCE(REFUSES(503, 'overloaded', 4_000), ACCEPTS)
    const world = await started({ wanted: 'sse', sse })
    world.links.hurry()
    world.links.networkChanged()
    await world.clock.pass(3_999)
    expect(world.attempts.sse).toBe(1)
    await world.clock.pass(2_001)
    expect(world.inUse).toBe('sse')
  })

  test('it is obeyed also where a person asks to try now', async () => {
    const world = await started({ wanted: 'sse', sse: SEQUENCE(REFUSES(503, 'overloaded', 4_000), ACCEPTS) })
    world.links.tryNow()
    await world.clock.pass(3_999)
    expect(world.attempts.sse).toBe(1)
  })

  test('a wait of our own ends where a person asks to try now', async () => {
    const world = await started({ wanted: 'sse', sse: SEQUENCE(REFUSES('no network'), ACCEPTS) })
    world.links.tryNow()
    await settle()
    expect(world.inUse).toBe('sse')
    world.links.tryNow()
    await world.clock.pass(60_000)
    expect(world.attempts.sse).toBe(2)
  })

  test('an attempt that hangs begins anew where a person asks to try now', async () => {
    const world = await started({ wanted: 'sse', sse: SEQUENCE(HANGS, ACCEPTS) })
    expect(world.links.state.name).toBe('connecting')
    world.links.tryNow()
    await settle()
    expect([world.inUse, world.attempts.sse, world.links.state.name]).toEqual(['sse', 2, 'up'])
  })

  test('a busy server is not fallen back from', async () => {
    const world = await started({ websocket: SEQUENCE(REFUSES(503, 'overloaded'), ACCEPTS) })
    expect(world.evidence).toEqual({ websocket: 'the server is busy' })
    await world.clock.pass(250)
    expect([world.inUse, world.attempts.sse]).toEqual(['websocket', 0])
  })

  test('a wait of our own is not sat out when the window or the network comes back', async () => {
    const world = await started({ wanted: 'sse', sse: SEQUENCE(REFUSES('no network'), ACCEPTS) })
    world.links.hurry()
    await settle()
    expect(world.inUse).toBe('sse')
    await world.clock.pass(60_000)
    expect(world.attempts.sse).toBe(2)
  })
})

describe('[S5] probing upward', () => {
  /** WebSocket refused for so many attempts. */
  const refusedFor = (times: number) =>
    SEQUENCE(...Array.from({ length: times }, () => REFUSES(403)), ACCEPTS)

  test('once the fault is over the better one takes over, and no moment is without a link', async () => {
    const world = await started(every({ websocket: refusedFor(2) }))
    await world.clock.pass(9_999)
    expect(world.attempts.websocket).toBe(1)
    await world.clock.pass(1)
    expect([world.inUse, world.attempts.websocket]).toEqual(['sse', 2])
    expect(world.links.chooser.nextProbe).toMatchObject({ transport: 'websocket', at: 1_030_000 })
    await world.clock.pass(20_000)
    expect([world.inUse, world.gaps, world.links.record.switches]).toEqual(['websocket', 0, 1])
    expect(world.evidence).toEqual({ websocket: 'in use', sse: 'worked' })
    expect(world.links.chooser.nextProbe).toBe(null)
  })

  test('it is no switch that anybody asked for', async () => {
    const world = await started({ websocket: SEQUENCE(REFUSES(403), HANGS) })
    await world.clock.pass(10_000)
    expect([world.attempts.websocket, world.links.switchingTo]).toEqual([2, undefined])
    expect(world.links.chooser.wanted).toBe('automatic')
  })

  test('ever more seldom', async () => {
    const world = await started({ websocket: REFUSES(403) })
    await world.clock.pass(3_600_000)
    expect(world.attempts.websocket).toBe(11) // at 0, 10, 30, 70, 150, 310, 630 s, then every ten minutes
    expect(world.gaps).toBe(0)
  })

  test('one that is won and lost again is left alone for longer each time', async () => {
    const websocket = SEQUENCE(REFUSES(403), ACCEPTS_THEN_DROPS(3_000))
    const world = await started({ websocket })
    await world.clock.pass(600_000)
    expect(world.inUse).toBe('sse')
    expect(world.attempts.websocket).toBeLessThan(6)
    expect(world.evidence.websocket).toMatch(/closed early \w+ times/)
    expect(world.links.record.longestGapMs).toBe(0)
  })

  test('not away from a pin', async () => {
    const world = await started({ wanted: 'sse' })
    await world.clock.pass(3_600_000)
    expect([world.inUse, world.attempts.websocket, world.clock.timers]).toEqual(['sse', 0, 0])
  })

  test('a choice of the person’s own goes before one that is being tried', async () => {
    const websocket = SEQUENCE(REFUSES(403), HANGS)
    const world = await started({ websocket, stream: ACCEPTS })
    await world.clock.pass(10_000)
    expect(await switching(world, 'stream')).toBe('switched')
    expect(world.transports.websocket.signals[1]!.aborted).toBe(true)
    expect([world.inUse, world.evidence.websocket]).toEqual(['stream', 'refused (403)'])
  })

  test('the lower one lost meanwhile: the better one that is being tried takes over', async () => {
    const websocket = SEQUENCE(REFUSES(403), OPENS_AFTER(400, ACCEPTS))
    const world = await started({ websocket })
    await world.clock.pass(10_100)
    world.transports.sse.last.drop()
    expect(world.links.state.name).toBe('connecting')
    await world.clock.pass(300)
    expect([world.inUse, world.attempts.sse]).toEqual(['websocket', 1])
  })
})

describe('[S5] a change of network', () => {
  test('forgets what was found, and tries the better one at once', async () => {
    let blocked = true
    const world = await started({ websocket: WHILE(() => blocked, REFUSES(403), ACCEPTS) })
    await world.clock.pass(200_000)
    expect(world.inUse).toBe('sse')
    blocked = false
    world.links.networkChanged()
    await world.clock.pass(0)
    expect([world.inUse, world.gaps]).toEqual(['websocket', 0])
  })

  test('what it forgets can still be read', async () => {
    const world = await started({ websocket: REFUSES(403) })
    world.links.networkChanged()
    expect(world.evidence).toEqual({ websocket: 'refused (403), before the network changed', sse: 'in use' })
  })

  test('an attempt under way begins anew; a wait is not sat out', async () => {
    const world = await started({ websocket: SEQUENCE(HANGS, ACCEPTS) })
    world.links.networkChanged()
    await settle()
    expect([world.inUse, world.attempts.websocket]).toEqual(['websocket', 2])
    const waiting = await started({ wanted: 'sse', sse: SEQUENCE(REFUSES('offline'), ACCEPTS) })
    waiting.links.networkChanged()
    await settle()
    expect(waiting.inUse).toBe('sse')
  })
})

describe('[S5] uploads that are held back', () => {
  test('the same transport is opened anew with POSTs alone, before the old link goes', async () => {
    const world = await started({ wanted: 'sse' })
    const held = world.links.current!
    expect(held.info.up).toBe('streamed body')
    world.links.reopenWithPosts()
    await settle()
    expect(world.links.current?.info.up).not.toBe('streamed body')
    expect([world.gaps, world.evidence.sse]).toEqual([0, 'in use'])
    world.links.drained(held)
    expect(world.evidence.sse).toBe('in use, by single requests: a streamed one was held back')
    world.transports.sse.last.drop()
    await world.clock.pass(1_000)
    expect(world.links.current?.info.up).not.toBe('streamed body')
  })

  test('a link that was dead altogether says nothing of uploads', async () => {
    const world = await started({ wanted: 'sse' })
    world.links.reopenWithPosts()
    await world.clock.pass(5_000)
    expect(world.evidence.sse).toBe('in use')
    world.transports.sse.last.drop()
    await world.clock.pass(1_000)
    expect(world.links.current?.info.up).toBe('streamed body')
  })

  test('a switch that somebody asked for says nothing of uploads', async () => {
    const world = await started()
    const old = world.links.current!
    await switching(world, 'sse')
    world.links.drained(old)
    expect(world.evidence).toEqual({ websocket: 'worked', sse: 'in use' })
  })

  test('where the new one fails, the old one goes on', async () => {
    const world = await started({ wanted: 'sse', sse: SEQUENCE(ACCEPTS, REFUSES(500)) })
    world.links.reopenWithPosts()
    await settle()
    expect([world.inUse, world.gaps, world.evidence.sse]).toEqual(['sse', 0, 'in use'])
  })
})
