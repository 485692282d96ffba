import { describe, expect, test } from 'vitest'
import { ManualClock } from '../session/fixtures/manual-clock.ts'
import { CLEAR, type Conditions, readConditions } from './conditions.ts'
import { memoryTransport } from './memory.ts'
import { createNet } from './net/node.ts'
import { Acceptor, type End, openLink, Recorder } from './recorder.ts'
import { Simulator } from './simulated.ts'
import { describeTransport, type Harness } from './transport.contract.ts'
import type { Target } from './transport.ts'
import { TransportError } from './transport.ts'

const target: Target = { origin: 'memory:', net: createNet() }

function harness(conditions: Conditions): Harness {
  const acceptor = new Acceptor()
  let refusing = false
  let knocks = 0
  const base = memoryTransport((link) => {
    knocks += 1
    if (refusing) throw new TransportError({ code: 'refused', detail: '403' })
    return acceptor.accept(link)
  })
  const simulator = new Simulator()
  simulator.set(conditions)
  return {
    transport: simulator.wrap(base),
    target,
    accepted: () => acceptor.next(),
    allClosed: () => acceptor.allClosed(),
    knocks: () => knocks,
    refuse: () => void (refusing = true),
    admit: () => void (refusing = false),
    cut: () => acceptor.ends.forEach(({ link }) => link.close({ code: 'lost' })),
    close: async () => {},
  }
}

const info = { protocol: '', up: 'frames', simulated: true } as const

describeTransport('simulated, changing nothing', async () => harness(CLEAR), { info })
describeTransport(
  'simulated, with delay and jitter',
  async () => harness({ ...CLEAR, delayMs: 3, jitterMs: 4 }),
  { info },
)

describe('[T8] the simulator', () => {
  async function world(conditions: Partial<Conditions> = {}) {
    const clock = new ManualClock()
    const acceptor = new Acceptor()
    const simulator = new Simulator(clock)
    const set = (given: Partial<Conditions>): void => simulator.set({ ...CLEAR, ...given })
    const transport = simulator.wrap(memoryTransport(acceptor.accept))
    const [client] = await Promise.all([openLink({ transport, target }), acceptor.next()])
    const server = acceptor.ends[0]!
    set(conditions)
    return { clock, simulator, set, transport, acceptor, client, server }
  }

  const ways = ['up', 'down'] as const
  const endsOf = (way: 'up' | 'down', { client, server }: { client: End; server: End }) =>
    way === 'up' ? ([client, server] as const) : ([server, client] as const)

  test.each(ways)('delays what goes %s, and keeps the order though jitter would not', async (way) => {
    const it = await world({ delayMs: 100, jitterMs: 50 })
    const [from, to] = endsOf(way, it)
    it.clock.chance = 1
    void from.link.send(Uint8Array.of(1))
    await it.clock.pass(10)
    it.clock.chance = 0
    void from.link.send(Uint8Array.of(2))
    await it.clock.pass(139)
    expect(to.heard.frames).toEqual([])
    await it.clock.pass(1)
    expect(to.heard.frames).toEqual([Uint8Array.of(1), Uint8Array.of(2)])
  })

  test('[T2] a delay that is taken away lets nothing overtake', async () => {
    const { clock, set, client, server } = await world({ delayMs: 100 })
    void client.link.send(Uint8Array.of(1))
    set({})
    void client.link.send(Uint8Array.of(2))
    await clock.pass(0)
    expect(server.heard.frames).toEqual([])
    await clock.pass(100)
    expect(server.heard.frames).toEqual([Uint8Array.of(1), Uint8Array.of(2)])
  })

  test.each(ways)(
    'silent: the link stays open, nothing goes %s, and all of it comes afterwards',
    async (way) => {
      const it = await world({ silent: true })
      const [from, to] = endsOf(way, it)
      void from.link.send(Uint8Array.of(1))
      await it.clock.pass(60_000)
      expect(to.heard).toMatchObject({ frames: [], closes: [] })
      it.set({})
      await it.clock.pass(0)
      expect(to.heard.frames).toEqual([Uint8Array.of(1)])
    },
  )

  test('silent: an opening waits, and is given up by whoever asked', async () => {
    const { clock, transport, acceptor } = await world({ silent: true })
    const abort = new AbortController()
    const opening = transport.open(target, new Recorder(), abort.signal).catch((error: unknown) => error)
    await clock.pass(60_000)
    expect(acceptor.ends.length).toBe(1)
    abort.abort()
    expect(await opening).toBeInstanceOf(TransportError)
  })

  test('silent: a link that is closed here lets go of the network', async () => {
    const { clock, client, server } = await world({ silent: true })
    client.link.close({ code: 'timeout' })
    await clock.pass(0)
    expect(server.heard.closes).toEqual([{ code: 'timeout' }])
  })

  test('blocked: what is in use breaks, opening is refused, and works again afterwards', async () => {
    const { set, client, transport, clock } = await world()
    set({ blocked: ['memory'] })
    expect(client.heard.closes).toEqual([{ code: 'lost', detail: 'blocked by the simulator' }])
    await expect(openLink({ transport, target })).rejects.toMatchObject({ reason: { code: 'refused' } })
    set({ blocked: ['sse'] })
    expect((await openLink({ transport, target })).heard.closes).toEqual([])
    await clock.pass(0)
  })

  test('blocked while it opens: refused', async () => {
    const { set, clock, transport, acceptor } = await world({ delayMs: 10 })
    const opening = openLink({ transport, target }).catch((error: unknown) => error)
    await clock.pass(12)
    set({ delayMs: 10, blocked: ['memory'] })
    await clock.pass(30)
    expect(await opening).toMatchObject({ reason: { detail: 'blocked by the simulator' } })
    await acceptor.allClosed()
  })

  test('a cut ends all links, once, with what was on its way', async () => {
    const { clock, simulator, client, server } = await world({ delayMs: 100 })
    void client.link.send(Uint8Array.of(1))
    void server.link.send(Uint8Array.of(2))
    await clock.pass(50)
    simulator.cut()
    simulator.cut()
    await clock.pass(1_000)
    for (const { heard } of [client, server])
      expect(heard).toMatchObject({ frames: [], closes: [{ code: 'lost' }], late: 0 })
  })

  test('an opening costs a round trip; one that ends as it opens is told so', async () => {
    const { clock, transport, acceptor, set } = await world({ delayMs: 100 })
    const heard = new Recorder()
    let opened = false
    void transport.open(target, heard, new AbortController().signal).then(() => (opened = true))
    await clock.pass(101)
    acceptor.ends[1]!.link.close({ code: 'going-away' })
    await clock.pass(98)
    expect(opened).toBe(false)
    await clock.pass(10)
    expect(opened).toBe(true)
    expect(heard.closes).toEqual([{ code: 'going-away' }])
    set({})
  })

  test('[T2] makes its caller wait while much is held', async () => {
    const { clock, client } = await world({ delayMs: 100 })
    let sent = 0
    const send = (bytes: number) => void client.link.send(new Uint8Array(bytes)).then(() => (sent += 1))
    send(60_000)
    send(60_000)
    await clock.pass(0)
    expect(sent).toBe(1)
    await clock.pass(100)
    expect(sent).toBe(2)
  })
})

test.each([
  [
    { ...CLEAR, delayMs: 25 },
    { ...CLEAR, delayMs: 25 },
  ],
  [
    { ...CLEAR, blocked: ['poll', 'sse', 'carrier pigeon', 'sse'] },
    { ...CLEAR, blocked: ['sse', 'poll'] },
  ],
  [
    { ...CLEAR, delayMs: 1_000, jitterMs: 1_000 },
    { ...CLEAR, delayMs: 1_000, jitterMs: 1_000 },
  ],
  [{ ...CLEAR, delayMs: 1_001 }, undefined],
  [{ ...CLEAR, delayMs: -1 }, undefined],
  [{ ...CLEAR, delayMs: Number.NaN }, undefined],
  [{ ...CLEAR, jitterMs: 1e9 }, undefined],
  [{ ...CLEAR, silent: 'yes' }, undefined],
  [{ ...CLEAR, blocked: 'sse' }, undefined],
  [null, undefined],
])('[A6] conditions are read as input: %j', (value, expected) => {
  expect(readConditions(value)).toEqual(expected)
})
