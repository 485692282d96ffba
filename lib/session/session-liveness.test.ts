/** S7 over a whole session: a test controls the client's clock, and what the other end sends. */
import { afterEach, expect, test } from 'vitest'
import { type OpenDocument, openDocumentOver } from '../client.ts'
import { FrameJoiner, packFrames } from '../protocol/framing.ts'
import { newDocumentId } from '../protocol/ids.ts'
import type { ClientMessage, ServerMessage } from '../protocol/message.ts'
import { encodeServerMessage, readClientMessages } from '../protocol/message.ts'
import { createMemoryTransport } from '../transports/memory.ts'
import type { NetworkPlatform } from '../transports/net/net.ts'
import type { Link } from '../transports/transport.ts'
import { ManualClock } from './fixtures/manual-clock.ts'
import { settle } from '../fixtures/wait.ts'

const net = { roundTripMs: () => 10, visible: () => false } as unknown as NetworkPlatform

class FakeServerEnd {
  readonly clock = new ManualClock()
  readonly links: Link[] = []
  readonly received: ClientMessage[] = []
  readonly opened: OpenDocument
  /** Messages on this link are not answered. */
  #deadLink: Link | null = null
  #number = 0

  constructor() {
    const transport = createMemoryTransport((link) => {
      const joiner = new FrameJoiner()
      this.links.push(link)
      return {
        onFrame: (frame) => {
          const bytes = joiner.push(frame)
          if (link === this.#deadLink) return
          for (const message of bytes ? readClientMessages(bytes) : []) this.#receive(message)
        },
        onClosed: () => {},
      }
    })
    this.opened = openDocumentOver(
      { origin: 'memory:', net },
      new Map([['websocket', transport]]),
      { document: newDocumentId(), transport: 'websocket' },
      { clock: this.clock },
    )
  }

  #receive(message: ClientMessage): void {
    this.received.push(message)
    if (message.type === 'hello') {
      const resumed = message.resume?.id === 'a.1'
      this.sendMessages({
        type: 'welcome',
        id: 'a.1',
        secret: 's',
        resumed,
        received: 0,
        principal: 'me',
        offers: '',
      })
    }
    if (message.type === 'attach') this.sendMessages({ type: 'received', number: message.number })
    if (message.type === 'ping') this.sendMessages({ type: 'pong', token: message.token })
  }

  /** The open link dies without a sign. */
  killLink(): void {
    this.#deadLink = this.links.at(-1) ?? null
  }

  sendMessages(...messages: ServerMessage[]): void {
    for (const frame of this.framesOf(...messages)) this.sendFrame(frame)
  }

  framesOf(...messages: ServerMessage[]): Uint8Array[] {
    return packFrames(messages.map(encodeServerMessage))
  }

  sendFrame(frame: Uint8Array): void {
    void this.links.at(-1)?.send(frame)
  }

  changeOf(bytes: number): ServerMessage {
    return { type: 'change', number: ++this.#number, channel: 1, updates: [new Uint8Array(bytes)] }
  }

  count(type: ClientMessage['type']): number {
    return this.received.filter((message) => message.type === type).length
  }
}

let end: FakeServerEnd

afterEach(async () => {
  const closing = end.opened.close()
  await end.clock.pass(2_000)
  await closing
})

async function connected(): Promise<FakeServerEnd> {
  end = new FakeServerEnd()
  await end.clock.pass(100)
  expect(end.opened.status.get().link.state).toBe('up')
  return end
}

test('the time of an opening is no round trip: the first answered ping measures one', async () => {
  const { clock, opened } = await connected()
  expect(opened.stats().roundTripMs).toBeUndefined()
  opened.measureRoundTrip()
  await clock.pass(100)
  expect(opened.stats().roundTripMs).toBeLessThan(100)
})

test('[S7] the pieces of a message that takes minutes are signs of life, and the other side gets some, too', async () => {
  const { clock } = await connected()
  const frames = end.framesOf(end.changeOf(300_000))
  for (const frame of frames.slice(0, -1)) {
    end.sendFrame(frame)
    await clock.pass(4_000)
  }
  expect([end.links.length, end.count('ping')]).toEqual([1, 0])
  expect(end.count('received')).toBeGreaterThanOrEqual((frames.length * 4_000) / 10_000)
})

test('[S7] whole messages cause no more than their acknowledgements', async () => {
  const { clock } = await connected()
  for (let count = 0; count < 20; count++) {
    end.sendMessages({ type: 'ping', token: count })
    await clock.pass(9_000)
  }
  expect([end.links.length, end.count('received'), end.count('pong')]).toEqual([1, 0, 20])
})

test('[S7] with timers once a minute on both ends, received frames count and the link stays', async () => {
  const { clock } = await connected()
  for (let minute = 0; minute < 10; minute++) {
    if (minute % 2 === 0) end.sendMessages({ type: 'ping', token: minute }) // the other end's timer, late as well
    await clock.sleep(60_000)
    await settle()
  }
  expect(end.links).toHaveLength(1)
  expect(end.count('pong')).toBe(5)
})

test('[S7] after five minutes’ sleep it pings once, and an answer is a sign of life', async () => {
  const { clock } = await connected()
  await clock.sleep(300_000)
  expect(end.count('ping')).toBe(1)
  await clock.pass(60_000)
  expect(end.links).toHaveLength(1)
})

test('[S7] after five minutes’ sleep on a link that died meanwhile it pings, and reconnects', async () => {
  const { clock } = await connected()
  end.killLink()
  await clock.sleep(300_000)
  expect(end.links).toHaveLength(1)
  await clock.pass(30_000)
  expect(end.links).toHaveLength(2)
  expect(end.opened.status.get().link.state).toBe('up')
})
