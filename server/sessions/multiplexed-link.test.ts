/** Several sessions on one link: what one of them does, or suffers, does not affect the others. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ClientMessage } from '../../lib/protocol/message.ts'
import { createEncoder, toBytes, writeNumber, writeString } from '../../lib/protocol/wire.ts'
import { createMemoryTransport } from '../../lib/transports/memory.ts'
import type { NetworkPlatform } from '../../lib/transports/net/net.ts'
import { RecordingSink } from '../../lib/transports/fixtures/recording-sink.ts'
import { Multiplexer } from '../../lib/transports/multiplexer.ts'
import type { Link, Sink, Transport } from '../../lib/transports/transport.ts'
import { silentLogger } from '../fixtures/silent-logger.ts'
import type { Principal } from '../access/principal.ts'
import { createAttachMessage, helloMessage, RawClient } from '../fixtures/raw-client.ts'
import { type RoomsFixture, openRoomsFixture } from '../rooms/fixtures/rooms-fixture.ts'
import { waitUntil } from '../../lib/fixtures/wait.ts'
import { createSessions } from './create-sessions.ts'
import type { Sessions } from './create-sessions.ts'

let fixture: RoomsFixture
let sessions: Sessions
let owner: Principal
let id: string

beforeEach(async () => {
  fixture = await openRoomsFixture()
  sessions = createSessions({ rooms: fixture.rooms, log: silentLogger })
  ;({ owner, id } = await fixture.document())
})
afterEach(async () => {
  vi.useRealTimers()
  await sessions.drain()
  await fixture[Symbol.asyncDispose]()
})

const target = { origin: 'memory:', net: { dispose: () => {} } as unknown as NetworkPlatform }

/** One link of one browser. */
class MultiplexedLink {
  readonly recordingSink = new RecordingSink()
  readonly #multiplexer = new Multiplexer()
  readonly link: Promise<Link>

  constructor() {
    const sink: Sink = {
      onFrame: (frame) => this.#multiplexer.onFrame(frame),
      onClosed: (reason) => {
        this.recordingSink.onClosed(reason)
        this.#multiplexer.onClosed(reason)
      },
    }
    this.link = createMemoryTransport((end) => sessions.accept(end, owner)).open(
      target,
      sink,
      new AbortController().signal,
    )
  }

  async window(...first: ClientMessage[]): Promise<RawClient> {
    const client = await this.openSubLink()
    client.send(helloMessage, ...first)
    await client.waitForMessage('welcome')
    return client
  }

  async openSubLink(): Promise<RawClient> {
    this.#multiplexer.attachTo(await this.link)
    const subLinkTransport: Pick<Transport, 'open'> = {
      open: async (_target, sink) => {
        const subLink = this.#multiplexer.openSubLink()
        subLink.attach(sink)
        return subLink
      },
    }
    return RawClient.openOver(subLinkTransport as Transport, target)
  }
}

/** The presence of one window in y-protocols. */
function presenceOf(client: number): Uint8Array {
  const encoder = createEncoder()
  for (const number of [1, client, 1]) writeNumber(encoder, number)
  writeString(encoder, '{}')
  return toBytes(encoder)
}

const waitForPong = async (client: RawClient, token: number): Promise<void> => {
  client.send({ type: 'ping', token })
  await waitUntil(() => client.received.some((one) => one.type === 'pong' && one.token === token))
}

test('a window that leaves is gone, and returns on another link; the others go on', async () => {
  const multiplexedLink = new MultiplexedLink()
  const [ada, eve] = [
    await multiplexedLink.window(createAttachMessage(id)),
    await multiplexedLink.window(createAttachMessage(id)),
  ]
  const { id: session, secret } = await ada.waitForMessage('welcome')
  ada.close()
  await waitForPong(eve, 1)
  expect(multiplexedLink.recordingSink.closes).toEqual([])
  const other = await RawClient.openOver(
    createMemoryTransport((end) => sessions.accept(end, owner)),
    target,
  )
  other.send({ ...helloMessage, resume: { id: session, secret, received: 0, take: true } })
  expect((await other.waitForMessage('welcome')).resumed).toBe(true)
  await other.waitForMessage('attached')
})

test('[W7] the others receive within 2 s that a window left, though the link lives', async () => {
  const multiplexedLink = new MultiplexedLink()
  const [ada, eve] = [
    await multiplexedLink.window(createAttachMessage(id)),
    await multiplexedLink.window(createAttachMessage(id)),
  ]
  await Promise.all([ada.waitForMessage('attached'), eve.waitForMessage('attached')])
  const countPresence = () => eve.received.filter((one) => one.type === 'presence' && !one.whole).length
  ada.send({ type: 'presence', channel: 1, whole: false, update: presenceOf(7) })
  await waitUntil(() => countPresence() === 1)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  ada.close()
  await vi.advanceTimersByTimeAsync(1_600)
  expect(countPresence()).toBe(2)
})

test('[A6] bad input ends its own session alone', async () => {
  const multiplexedLink = new MultiplexedLink()
  const [bad, good] = [await multiplexedLink.window(), await multiplexedLink.window()]
  bad.sendFrames([Uint8Array.of(0, 99)])
  expect(await bad.closed).toMatchObject({ code: 'bad-frame' })
  await waitForPong(good, 1)
  expect(multiplexedLink.recordingSink.closes).toEqual([])
})

test('a bye ends its own session, not the link', async () => {
  const multiplexedLink = new MultiplexedLink()
  const [ada, eve] = [await multiplexedLink.window(), await multiplexedLink.window()]
  ada.send({ type: 'bye' })
  expect(await ada.closed).toMatchObject({ code: 'done' })
  await waitForPong(eve, 1)
  expect(sessions.count).toBe(1)
})

test('[A6] a session beyond 64 on one link is refused, and the others go on', async () => {
  const multiplexedLink = new MultiplexedLink()
  const windows = await Promise.all(Array.from({ length: 64 }, () => multiplexedLink.window()))
  const late = await multiplexedLink.openSubLink()
  late.send(helloMessage)
  expect(await late.closed).toMatchObject({ code: 'overloaded', detail: expect.stringContaining('64') })
  await waitForPong(windows[0]!, 1)
})

test('a link without sub-links is closed after 10 s, unless a new one comes', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const multiplexedLink = new MultiplexedLink()
  const first = await multiplexedLink.openSubLink()
  first.send(helloMessage)
  first.close()
  await vi.advanceTimersByTimeAsync(9_000)
  const second = await multiplexedLink.openSubLink()
  second.send(helloMessage)
  await vi.advanceTimersByTimeAsync(9_000)
  expect(multiplexedLink.recordingSink.closes).toEqual([])
  second.close()
  await vi.advanceTimersByTimeAsync(10_001)
  expect((await multiplexedLink.recordingSink.closed).code).toBe('timeout')
})
