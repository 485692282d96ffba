import { describe, expect, test } from 'vitest'
import { ManualClock } from '../session/fixtures/manual-clock.ts'
import { NO_CONDITIONS, type NetworkConditions, readNetworkConditions } from './network-conditions.ts'
import { createMemoryTransport } from './memory.ts'
import { createNet } from './net/node.ts'
import { createMemoryHarness } from './fixtures/memory-harness.ts'
import {
  RecordingAcceptor,
  type RecordedLink,
  openRecordedLink,
  RecordingSink,
} from './fixtures/recording-sink.ts'
import { NetworkSimulator } from './network-simulator.ts'
import { describeTransport, type TransportHarness } from './transport.contract.ts'
import type { LinkTarget } from './transport.ts'
import { TransportError } from './transport.ts'

const target: LinkTarget = { origin: 'memory:', net: createNet() }

function createHarness(conditions: NetworkConditions): TransportHarness {
  const simulator = new NetworkSimulator()
  simulator.setConditions(conditions)
  return createMemoryHarness((transport) => simulator.wrapTransport(transport))
}

const info = { protocol: '', up: 'frames', simulated: true } as const

describeTransport('simulated, changing nothing', async () => createHarness(NO_CONDITIONS), { info })
describeTransport(
  'simulated, with delay and jitter',
  async () => createHarness({ ...NO_CONDITIONS, delayMs: 3, jitterMs: 4 }),
  { info },
)

describe('[T8] the simulator', () => {
  async function createFixture(conditions: Partial<NetworkConditions> = {}) {
    const clock = new ManualClock()
    const acceptor = new RecordingAcceptor()
    const simulator = new NetworkSimulator(clock)
    const set = (given: Partial<NetworkConditions>): void =>
      simulator.setConditions({ ...NO_CONDITIONS, ...given })
    const transport = simulator.wrapTransport(createMemoryTransport(acceptor.accept))
    const [client] = await Promise.all([openRecordedLink({ transport, target }), acceptor.next()])
    const server = acceptor.links[0]!
    set(conditions)
    return { clock, simulator, set, transport, acceptor, client, server }
  }

  const directions = ['up', 'down'] as const
  const endsInDirection = (
    direction: 'up' | 'down',
    { client, server }: { client: RecordedLink; server: RecordedLink },
  ) => (direction === 'up' ? ([client, server] as const) : ([server, client] as const))

  test.each(directions)(
    'delays frames going %s, and keeps their order in spite of jitter',
    async (direction) => {
      const fixture = await createFixture({ delayMs: 100, jitterMs: 50 })
      const [from, to] = endsInDirection(direction, fixture)
      fixture.clock.chance = 1
      void from.link.send(Uint8Array.of(1))
      await fixture.clock.pass(10)
      fixture.clock.chance = 0
      void from.link.send(Uint8Array.of(2))
      await fixture.clock.pass(139)
      expect(to.received.frames).toEqual([])
      await fixture.clock.pass(1)
      expect(to.received.frames).toEqual([Uint8Array.of(1), Uint8Array.of(2)])
    },
  )

  test('[T2] no frame overtakes another when a delay is removed', async () => {
    const { clock, set, client, server } = await createFixture({ delayMs: 100 })
    void client.link.send(Uint8Array.of(1))
    set({})
    void client.link.send(Uint8Array.of(2))
    await clock.pass(0)
    expect(server.received.frames).toEqual([])
    await clock.pass(100)
    expect(server.received.frames).toEqual([Uint8Array.of(1), Uint8Array.of(2)])
  })

  test.each(directions)(
    'silent: the link stays open, no frame goes %s, and all arrive afterwards',
    async (direction) => {
      const fixture = await createFixture({ silent: true })
      const [from, to] = endsInDirection(direction, fixture)
      void from.link.send(Uint8Array.of(1))
      await fixture.clock.pass(60_000)
      expect(to.received).toMatchObject({ frames: [], closes: [] })
      fixture.set({})
      await fixture.clock.pass(0)
      expect(to.received.frames).toEqual([Uint8Array.of(1)])
    },
  )

  test('silent: an opening waits until its caller gives it up', async () => {
    const { clock, transport, acceptor } = await createFixture({ silent: true })
    const abort = new AbortController()
    const opening = transport.open(target, new RecordingSink(), abort.signal).catch((error: unknown) => error)
    await clock.pass(60_000)
    expect(acceptor.links.length).toBe(1)
    abort.abort()
    expect(await opening).toBeInstanceOf(TransportError)
  })

  test('silent: a link closed on this side releases the network', async () => {
    const { clock, client, server } = await createFixture({ silent: true })
    client.link.close({ code: 'timeout' })
    await clock.pass(0)
    expect(server.received.closes).toEqual([{ code: 'timeout' }])
  })

  test('blocked: a link in use breaks, opening is refused, and works again afterwards', async () => {
    const { set, client, transport, clock } = await createFixture()
    set({ blocked: ['memory'] })
    expect(client.received.closes).toEqual([{ code: 'lost', detail: 'blocked by the simulator' }])
    await expect(openRecordedLink({ transport, target })).rejects.toMatchObject({
      reason: { code: 'refused' },
    })
    set({ blocked: ['sse'] })
    expect((await openRecordedLink({ transport, target })).received.closes).toEqual([])
    await clock.pass(0)
  })

  test('blocked: an opening under way is refused', async () => {
    const { set, clock, transport, acceptor } = await createFixture({ delayMs: 10 })
    const opening = openRecordedLink({ transport, target }).catch((error: unknown) => error)
    await clock.pass(12)
    set({ delayMs: 10, blocked: ['memory'] })
    await clock.pass(30)
    expect(await opening).toMatchObject({ reason: { detail: 'blocked by the simulator' } })
    await acceptor.allClosed()
  })

  test('a cut ends all links once, and drops what was on its way', async () => {
    const { clock, simulator, client, server } = await createFixture({ delayMs: 100 })
    void client.link.send(Uint8Array.of(1))
    void server.link.send(Uint8Array.of(2))
    await clock.pass(50)
    simulator.cut()
    simulator.cut()
    await clock.pass(1_000)
    for (const { received } of [client, server])
      expect(received).toMatchObject({ frames: [], closes: [{ code: 'lost' }], late: 0 })
  })

  test('an opening costs a round trip; a link that ends as it opens is closed', async () => {
    const { clock, transport, acceptor, set } = await createFixture({ delayMs: 100 })
    const received = new RecordingSink()
    let opened = false
    void transport.open(target, received, new AbortController().signal).then(() => (opened = true))
    await clock.pass(101)
    acceptor.links[1]!.link.close({ code: 'going-away' })
    await clock.pass(98)
    expect(opened).toBe(false)
    await clock.pass(10)
    expect(opened).toBe(true)
    expect(received.closes).toEqual([{ code: 'going-away' }])
    set({})
  })

  test('[T2] send makes its caller wait while many bytes are held', async () => {
    const { clock, client } = await createFixture({ delayMs: 100 })
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
    { ...NO_CONDITIONS, delayMs: 25 },
    { ...NO_CONDITIONS, delayMs: 25 },
  ],
  [
    { ...NO_CONDITIONS, blocked: ['poll', 'sse', 'carrier pigeon', 'sse'] },
    { ...NO_CONDITIONS, blocked: ['sse', 'poll'] },
  ],
  [
    { ...NO_CONDITIONS, delayMs: 1_000, jitterMs: 1_000 },
    { ...NO_CONDITIONS, delayMs: 1_000, jitterMs: 1_000 },
  ],
  [{ ...NO_CONDITIONS, delayMs: 1_001 }, undefined],
  [{ ...NO_CONDITIONS, delayMs: -1 }, undefined],
  [{ ...NO_CONDITIONS, delayMs: Number.NaN }, undefined],
  [{ ...NO_CONDITIONS, jitterMs: 1e9 }, undefined],
  [{ ...NO_CONDITIONS, silent: 'yes' }, undefined],
  [{ ...NO_CONDITIONS, blocked: 'sse' }, undefined],
  [null, undefined],
])('[A6] conditions are read as input: %j', (value, expected) => {
  expect(readNetworkConditions(value)).toEqual(expected)
})
