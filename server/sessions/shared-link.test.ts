/** Several sessions on one link: what one of them does, and what becomes of it, is no affair of the others. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ClientMessage } from '../../lib/protocol/message.ts'
import { createEncoder, toBytes, writeNumber, writeString } from '../../lib/protocol/wire.ts'
import { memoryTransport } from '../../lib/transports/memory.ts'
import type { Net } from '../../lib/transports/net/net.ts'
import { Recorder } from '../../lib/transports/recorder.ts'
import { Rides } from '../../lib/transports/rides.ts'
import type { Link, Sink, Transport } from '../../lib/transports/transport.ts'
import { log } from '../access/fixture.ts'
import type { Principal } from '../access/principal.ts'
import { attach, hello, RawClient } from '../fixtures/raw-client.ts'
import { type House, openHouse, until } from '../rooms/fixtures/house.ts'
import { createSessions } from './create-sessions.ts'
import type { Sessions } from './sessions.ts'

let house: House
let sessions: Sessions
let owner: Principal
let id: string

beforeEach(async () => {
  house = await openHouse()
  sessions = createSessions({ rooms: house.rooms, log })
  ;({ owner, id } = await house.document())
})
afterEach(async () => {
  vi.useRealTimers()
  await sessions.drain()
  await house[Symbol.asyncDispose]()
})

const target = { origin: 'memory:', net: { dispose: () => {} } as unknown as Net }

/** One link of one browser. */
class SharedLink {
  readonly heard = new Recorder()
  readonly #rides = new Rides()
  readonly link: Promise<Link>

  constructor() {
    const sink: Sink = {
      onFrame: (frame) => this.#rides.onFrame(frame),
      onClosed: (reason) => {
        this.heard.onClosed(reason)
        this.#rides.onClosed(reason)
      },
    }
    this.link = memoryTransport((end) => sessions.accept(end, owner)).open(
      target,
      sink,
      new AbortController().signal,
    )
  }

  async window(...first: ClientMessage[]): Promise<RawClient> {
    const client = await this.rider()
    client.say(hello, ...first)
    await client.hears('welcome')
    return client
  }

  async rider(): Promise<RawClient> {
    this.#rides.carriedBy(await this.link)
    const riding: Pick<Transport, 'open'> = {
      open: async (_target, sink) => {
        const ride = this.#rides.begin()
        ride.attach(sink)
        return ride
      },
    }
    return RawClient.over(riding as Transport, target)
  }
}

/** What y-protocols would say of one window. */
function here(client: number): Uint8Array {
  const encoder = createEncoder()
  for (const number of [1, client, 1]) writeNumber(encoder, number)
  writeString(encoder, '{}')
  return toBytes(encoder)
}

const answers = async (client: RawClient, token: number): Promise<void> => {
  client.say({ type: 'ping', token })
  await until(() => client.heard.some((one) => one.type === 'pong' && one.token === token))
}

test('a window that leaves is away, and comes back on another link; the others go on', async () => {
  const shared = new SharedLink()
  const [ada, eve] = [await shared.window(attach(id)), await shared.window(attach(id))]
  const { id: session, secret } = await ada.hears('welcome')
  ada.close()
  await answers(eve, 1)
  expect(shared.heard.closes).toEqual([])
  const other = await RawClient.over(
    memoryTransport((end) => sessions.accept(end, owner)),
    target,
  )
  other.say({ ...hello, resume: { id: session, secret, received: 0, take: true } })
  expect((await other.hears('welcome')).resumed).toBe(true)
  await other.hears('attached')
})

test('[W7] the others hear within 2 s that a window left, though the link lives', async () => {
  const shared = new SharedLink()
  const [ada, eve] = [await shared.window(attach(id)), await shared.window(attach(id))]
  await Promise.all([ada.hears('attached'), eve.hears('attached')])
  const comings = () => eve.heard.filter((one) => one.type === 'presence' && !one.whole).length
  ada.say({ type: 'presence', channel: 1, whole: false, update: here(7) })
  await until(() => comings() === 1)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  ada.close()
  await vi.advanceTimersByTimeAsync(1_600)
  expect(comings()).toBe(2)
})

test('[A6] bad input ends its own session alone', async () => {
  const shared = new SharedLink()
  const [bad, good] = [await shared.window(), await shared.window()]
  bad.frames([Uint8Array.of(0, 99)])
  expect(await bad.closed).toMatchObject({ code: 'bad-frame' })
  await answers(good, 1)
  expect(shared.heard.closes).toEqual([])
})

test('a goodbye ends its own session, not the link', async () => {
  const shared = new SharedLink()
  const [ada, eve] = [await shared.window(), await shared.window()]
  ada.say({ type: 'bye' })
  expect(await ada.closed).toMatchObject({ code: 'done' })
  await answers(eve, 1)
  expect(sessions.count).toBe(1)
})

test('[A6] more than 64 sessions on one link: one more is sent away, the others go on', async () => {
  const shared = new SharedLink()
  const windows = await Promise.all(Array.from({ length: 64 }, () => shared.window()))
  const late = await shared.rider()
  late.say(hello)
  expect(await late.closed).toMatchObject({ code: 'overloaded', detail: expect.stringContaining('64') })
  await answers(windows[0]!, 1)
})

test('a link that nobody rides any more is closed after 10 s, unless somebody comes', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const shared = new SharedLink()
  const first = await shared.rider()
  first.say(hello)
  first.close()
  await vi.advanceTimersByTimeAsync(9_000)
  const second = await shared.rider()
  second.say(hello)
  await vi.advanceTimersByTimeAsync(9_000)
  expect(shared.heard.closes).toEqual([])
  second.close()
  await vi.advanceTimersByTimeAsync(10_001)
  expect((await shared.heard.closed).code).toBe('timeout')
})
