import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { closeCodes } from '../protocol/close.ts'
import { emptyFrame } from '../protocol/multiplexed-frame.ts'
import type { LinkEnd } from './link.ts'
import { createMemoryPair } from './memory.ts'
import { RecordingAcceptor, type RecordedLink, RecordingSink } from './fixtures/recording-sink.ts'
import { Multiplexer } from './multiplexer.ts'
import type { Link, Sink } from './transport.ts'

/** The two ends of one link. A test runs the tasks between them when it likes. */
function createFixture(limit?: number) {
  const tasks: (() => void)[] = []
  const acceptor = new RecordingAcceptor()
  const emptied: string[] = []
  const near = new Multiplexer({ onEmpty: () => emptied.push('near') })
  const far = new Multiplexer({
    accept: acceptor.accept,
    onEmpty: () => emptied.push('far'),
    ...(limit && { limit }),
  })
  const closes: string[] = []
  const [left, right] = createMemoryPair(recordingSink(near, closes), recordingSink(far, closes), (task) =>
    tasks.push(task),
  )
  near.attachTo(left)
  far.attachTo(right)
  const settle = (): void => {
    for (let task = tasks.shift(); task; task = tasks.shift()) task()
  }
  return { near, far, left, right, acceptor, emptied, closes, settle }
}

const recordingSink = (multiplexer: Multiplexer, closes: string[]): Sink => ({
  onFrame: (frame) => multiplexer.onFrame(frame),
  onClosed(reason) {
    closes.push(reason.code)
    multiplexer.onClosed(reason)
  },
})

function openSubLink(multiplexer: Multiplexer): { link: LinkEnd; received: RecordingSink } {
  const end = { link: multiplexer.openSubLink(), received: new RecordingSink() }
  end.link.attach(end.received)
  return end
}

const frameOf = (...bytes: number[]): Uint8Array<ArrayBuffer> => Uint8Array.of(0, ...bytes)

const send = async ({ link }: { link: Link }, ...bytes: number[]): Promise<void> =>
  link.send(frameOf(...bytes))

describe('several sub-links over one link', () => {
  test('[T2] each sub-link receives its own frames alone, whole and in order, both ways', () => {
    const sendArbitrary = fc.record({
      index: fc.nat(9),
      up: fc.boolean(),
      bytes: fc.uint8Array({ maxLength: 50 }),
    })
    fc.assert(
      fc.property(fc.array(sendArbitrary, { maxLength: 100 }), (sends) => {
        const { near, acceptor, settle } = createFixture()
        const clients = Array.from({ length: 10 }, () => openSubLink(near))
        for (const client of clients) void send(client)
        settle()
        const servers = acceptor.links
        for (const { index, up, bytes } of sends) void send((up ? clients[index] : servers[index])!, ...bytes)
        settle()
        const sent = (index: number, up: boolean) =>
          sends.filter((one) => one.index === index && one.up === up).map(({ bytes }) => frameOf(...bytes))
        clients.forEach((client, index) => expect(client.received.frames).toEqual(sent(index, false)))
        servers.forEach((server, index) => expect(server.received.frames.slice(1)).toEqual(sent(index, true)))
      }),
      { numRuns: 50 },
    )
  })

  test('[T1] a sub-link that ends sends the reason, and the others stay open', async () => {
    for (const code of closeCodes) {
      for (const closer of ['near', 'far'] as const) {
        const { near, acceptor, settle, closes } = createFixture()
        const [first, second] = [openSubLink(near), openSubLink(near)]
        for (const client of [first, second]) void send(client)
        settle()
        const [here, there] = [acceptor.links[0]!, acceptor.links[1]!]
        const reason = { code, detail: 'why' }
        ;(closer === 'near' ? first : here).link.close(reason)
        settle()
        expect([first.received.closes, here.received.closes]).toEqual([[reason], [reason]])
        await send(second, 1)
        await send(there, 2)
        settle()
        expect([second.received.frames, there.received.frames.slice(1)]).toEqual([[frameOf(2)], [frameOf(1)]])
        expect(closes).toEqual([])
      }
    }
  })

  test('[T1] a link that ends closes all its sub-links, also those that sent nothing yet', () => {
    const { near, left, acceptor, settle } = createFixture()
    const [first, second] = [openSubLink(near), openSubLink(near)]
    void send(first)
    settle()
    left.close({ code: 'lost' })
    settle()
    expect([first, second, acceptor.links[0]!].map(({ received: { closes } }) => closes)).toEqual([
      [{ code: 'lost' }],
      [{ code: 'lost' }],
      [{ code: 'lost' }],
    ])
  })

  test('[T1] late frames of an ended sub-link reach nobody, and open nothing', async () => {
    const { near, acceptor, settle } = createFixture()
    const first = openSubLink(near)
    await send(first)
    settle()
    const [server] = acceptor.links as [RecordedLink]
    await send(first, 1)
    server.link.close({ code: 'overloaded' })
    await send(server, 2)
    const next = openSubLink(near)
    await send(next, 3)
    settle()
    expect(first.received).toMatchObject({ frames: [], late: 0, closes: [{ code: 'overloaded' }] })
    expect(server.received).toMatchObject({ frames: [frameOf()], late: 0 })
    expect(acceptor.links.map(({ received: { frames } }) => frames)).toEqual([[frameOf()], [frameOf(3)]])
  })

  test('[A6] a sub-link over the limit is refused, and the others stay open', async () => {
    const { near, acceptor, settle, closes } = createFixture(2)
    const clients = [openSubLink(near), openSubLink(near), openSubLink(near)]
    for (const client of clients) await send(client, 1)
    settle()
    expect(clients.map(({ received: { closes: own } }) => own.length)).toEqual([0, 0, 1])
    expect(clients[2]!.received.closes).toEqual([
      { code: 'overloaded', detail: 'more than 2 sessions on one link' },
    ])
    clients[0]!.link.close({ code: 'done' })
    await send(openSubLink(near), 4)
    settle()
    expect([acceptor.links.length, closes]).toEqual([3, []])
  })

  test('both sides are notified when the last sub-link ended', () => {
    const { near, emptied, settle } = createFixture()
    const [first, second] = [openSubLink(near), openSubLink(near)]
    for (const client of [first, second]) void send(client)
    first.link.close({ code: 'done' })
    settle()
    expect(emptied).toEqual([])
    second.link.close({ code: 'done' })
    settle()
    expect(emptied).toEqual(['near', 'far'])
  })

  test('the close of the only session on an unshared link closes the link', async () => {
    const { left, acceptor, settle, closes } = createFixture()
    await left.send(frameOf(7))
    settle()
    const [server] = acceptor.links as [RecordedLink]
    expect(server.received.frames).toEqual([frameOf(7)])
    server.link.close({ code: 'version', detail: 'old' })
    settle()
    expect(closes).toEqual(['version', 'version'])
  })

  test('[A6] random frames end the link or are ignored, and never throw', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 12 }), { maxLength: 20 }), (frames) => {
        const { left, right, settle } = createFixture(4)
        for (const frame of frames) void left.send(new Uint8Array(frame))
        for (const frame of frames) void right.send(new Uint8Array(frame))
        settle()
      }),
      { numRuns: 500 },
    )
  })

  test.each([
    ['that is empty', new Uint8Array()],
    ['under the number of another', Uint8Array.of(8, 1)],
  ])('a sub-link’s frame %s is refused, and ends no other sub-link', async (_what, frame) => {
    const { near, settle, closes } = createFixture()
    const client = openSubLink(near)
    await expect(client.link.send(frame)).rejects.toThrow()
    await client.link.send(emptyFrame(false, 1))
    settle()
    expect([closes, client.received.closes]).toEqual([[], []])
  })
})
