/** T1 to T6, for any transport and both ends of its links: the same suite over every implementation. */
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { CloseReason } from '../protocol/close.ts'
import { closeCodes } from '../protocol/close.ts'
import { MAX_FRAME_BYTES } from '../protocol/limits.ts'
import { type RecordedLink, openRecordedLink, RecordingSink } from './fixtures/recording-sink.ts'
import type { LinkInfo, LinkTarget, Transport } from './transport.ts'
import { FrameTooLarge, TransportError } from './transport.ts'

/** A transport with a server behind it. */
export interface TransportHarness {
  readonly transport: Transport
  readonly target: LinkTarget
  /** The server's end of the next link it accepts, in the order of the openings. */
  accepted(): Promise<RecordedLink>
  /** Resolves once every link the server ever accepted is closed. */
  allClosed(): Promise<void>
  /** How many requests reached any endpoint so far. */
  attempts(): number
  /** Refuses every opening from now on, until `admit`. */
  refuse(): void
  admit(): void
  /** Breaks all connections without a close, once there are any. */
  cut(): Promise<void> | void
  close(): Promise<void>
}

export type ContractRule = 'a cut is heard' | 'an opening after a cut'

export interface TransportExpectation {
  readonly info: Omit<LinkInfo, 'transport'>
  /** What this transport cannot do, and why (T4). */
  readonly skip?: readonly { readonly rule: ContractRule; readonly reason: string }[]
  /** Frames begin with a valid head (protocol/multiplexed-frame.ts): only these can get another number. */
  readonly hasFrameHead?: boolean
}

export function describeTransport(
  name: string,
  start: () => Promise<TransportHarness>,
  { info, skip = [], hasFrameHead = false }: TransportExpectation,
): void {
  const createBytes = hasFrameHead ? bytesWithHead : anyBytes
  const noticesCuts = !skip.some(({ rule }) => rule === 'a cut is heard')
  describe(`[T4] ${name}`, () => {
    let harness: TransportHarness
    const links: { client: RecordedLink; server: RecordedLink }[] = []

    beforeAll(async () => {
      harness = await start()
    })
    afterEach(async () => {
      harness.admit()
      for (const { client, server } of links.splice(0)) {
        client.link.close({ code: 'done' })
        await server.received.closed
      }
    })
    afterAll(() => harness.close())

    async function open(): Promise<{ client: RecordedLink; server: RecordedLink }> {
      const [client, server] = await Promise.all([openRecordedLink(harness), harness.accepted()])
      links.push({ client, server })
      return { client, server }
    }

    /** Checks each link in both directions. */
    const inBothDirections = async (
      check: (from: RecordedLink, to: RecordedLink) => Promise<void>,
    ): Promise<void> => {
      const { client, server } = await open()
      await check(client, server)
      await check(server, client)
    }

    const testUnless = (rule: ContractRule, title: string, run: () => Promise<void>): void => {
      const skipped = skip.find((entry) => entry.rule === rule)
      test.skipIf(skipped)(skipped ? `${title}: not here. ${skipped.reason}` : title, run)
    }

    test('[T5] capabilities and the link’s own data are plain data', async () => {
      const { client, server } = await open()
      const { capabilities, id } = harness.transport
      expect(structuredClone(capabilities)).toEqual(capabilities)
      await expect.poll(() => client.link.info).toEqual({ transport: id, ...info })
      expect(server.link.info.transport).toBe(id)
    })

    test('[T2] random frames arrive whole and in order', async () => {
      const size = fc.oneof(
        { weight: 20, arbitrary: fc.nat(300) },
        { weight: 2, arbitrary: fc.nat(70_000) },
        { weight: 1, arbitrary: fc.constantFrom(0, 127, 128, 16_383, 16_384, MAX_FRAME_BYTES) },
      )
      const frame = fc.tuple(size, fc.nat(255)).map(([length, seed]) => createBytes(length, seed))
      await inBothDirections((from, to) =>
        fc.assert(
          fc.asyncProperty(fc.array(frame, { minLength: 1, maxLength: 30 }), (frames) =>
            expectDelivery(from, to, frames),
          ),
          { numRuns: 15 },
        ),
      )
    })

    test('[T2] a thousand frames at once, both ways at once', async () => {
      const { client, server } = await open()
      const frames = Array.from({ length: 1000 }, (_, index) => createBytes(index % 97, index))
      await Promise.all([expectDelivery(client, server, frames), expectDelivery(server, client, frames)])
    })

    test('[T6] a frame at the limit passes, one byte more is refused with the limit named, and the link lives', async () => {
      await inBothDirections(async (from, to) => {
        await expectDelivery(from, to, [createBytes(MAX_FRAME_BYTES, 7)])
        const refused = from.link.send(new Uint8Array(MAX_FRAME_BYTES + 1))
        await expect(refused).rejects.toThrow(FrameTooLarge)
        await expect(refused).rejects.toThrow(/262145.*262144.*MAX_FRAME_BYTES/)
        await expectDelivery(from, to, [createBytes(5, 1)])
      })
    })

    test('[T1] both ends receive one close, and nothing after it, whoever closes', async () => {
      for (const closer of ['client', 'server'] as const) {
        const ends = await open()
        const { [closer]: from, [closer === 'client' ? 'server' : 'client']: to } = ends
        from.link.close({ code: 'drained', detail: 'first' })
        expect(from.received.closes).toEqual([{ code: 'drained', detail: 'first' }])
        from.link.close({ code: 'done', detail: 'second' })
        await to.link.send(createBytes(10, 1))
        await to.received.closed
        to.link.close({ code: 'done', detail: 'third' })
        await Promise.all([from.link.send(createBytes(10, 2)), to.link.send(createBytes(10, 3))])
        await waitForSilence()
        expect(from.received).toMatchObject({ frames: [], late: 0 })
        expect(to.received).toMatchObject({ frames: [], late: 0 })
        expect([from.received.closes.length, to.received.closes.length]).toEqual([1, 1])
      }
    })

    test('[T2] frames sent before a close arrive before it, if the server closes', async () => {
      const { client, server } = await open()
      const frames = Array.from({ length: 20 }, (_, index) => createBytes(3000, index))
      for (const frame of frames) void server.link.send(frame)
      server.link.close({ code: 'going-away' })
      await client.received.closed
      expect(client.received.frames).toEqual(frames)
    })

    const reasons = closeCodes.map((code): CloseReason => ({
      code,
      detail: `“${code}” – 5 s`,
      retryAfterMs: 5000,
    }))

    test('[S9] every reason of the server’s reaches the client, with detail and retry-after', async () => {
      for (const reason of reasons) {
        const { client, server } = await open()
        server.link.close(reason)
        expect(await client.received.closed).toEqual(reason)
      }
    })

    test('[S9] every reason of the client’s reaches the server', async () => {
      for (const reason of reasons) {
        const { client, server } = await open()
        client.link.close(reason)
        expect(await server.received.closed).toEqual(reason)
      }
    })

    testUnless(
      'a cut is heard',
      '[T1] [T3] both ends notice a cut once, and no request follows',
      async () => {
        const { client, server } = await open()
        await harness.cut()
        const attempts = harness.attempts()
        expect((await client.received.closed).code).toBe('lost')
        expect((await server.received.closed).code).toBe('lost')
        await waitForSilence()
        expect([client.received.closes.length, server.received.closes.length]).toEqual([1, 1])
        expect(harness.attempts()).toBe(attempts)
      },
    )

    testUnless('an opening after a cut', '[T1] after a cut a later opening works', async () => {
      const { client } = await open()
      await harness.cut()
      // Until then the client may still believe that its connections work.
      await (noticesCuts ? client.received.closed : waitForSilence())
      await inBothDirections((from, to) => expectDelivery(from, to, [createBytes(50, 4)]))
    })

    test('[T1] [T3] a refused opening rejects once, and calls nothing on its sink', async () => {
      await waitForSilence() // The last poll of an earlier link may still come, by another connection than its close.
      harness.refuse()
      const attempts = harness.attempts()
      const received = new RecordingSink()
      const opening = harness.transport.open(harness.target, received, new AbortController().signal)
      await expect(opening).rejects.toThrow(TransportError)
      await waitForSilence()
      expect(received).toMatchObject({ frames: [], closes: [] })
      expect(harness.attempts()).toBe(attempts + 1)
    })

    test('[S5] a refusal names the status', async () => {
      harness.refuse()
      const opening = harness.transport.open(
        harness.target,
        new RecordingSink(),
        new AbortController().signal,
      )
      await expect(opening).rejects.toMatchObject({
        reason: { detail: expect.stringContaining('403') as string },
      })
    })

    test('[T1] an opening given up beforehand sends no request', async () => {
      const attempts = harness.attempts()
      const received = new RecordingSink()
      const opening = harness.transport.open(harness.target, received, AbortSignal.abort())
      await expect(opening).rejects.toThrow(TransportError)
      await waitForSilence()
      expect(harness.attempts()).toBe(attempts)
      expect(received.closes).toEqual([])
    })

    test('[T1] an opening given up at any moment leaves nothing open', async () => {
      const before = harness.attempts()
      for (let turns = 0; turns < 30; turns++) {
        const abort = new AbortController()
        const received = new RecordingSink()
        const opening = harness.transport.open(harness.target, received, abort.signal)
        const outcome = opening.then(
          (link) => link,
          (error: unknown) => error,
        )
        for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate)
        abort.abort()
        const result = await outcome
        if (result instanceof Error) {
          expect(result).toBeInstanceOf(TransportError)
          expect(received).toMatchObject({ closes: [], frames: [] })
        } else (result as Awaited<typeof opening>).close({ code: 'done' })
      }
      expect(harness.attempts()).toBeGreaterThanOrEqual(before)
      await harness.allClosed()
    })
  })
}

/** Sends all frames, and waits until the other end has exactly these, in order. */
async function expectDelivery(
  from: RecordedLink,
  to: RecordedLink,
  frames: readonly Uint8Array[],
): Promise<void> {
  const start = to.received.frames.length
  for (const frame of frames) void from.link.send(frame)
  await to.received.waitForFrames(start + frames.length)
  const receivedFrames = to.received.frames.splice(0)
  expect(receivedFrames.length).toBe(start + frames.length)
  // toEqual would take seconds on large arrays of bytes.
  expect(
    frames.findIndex((frame, index) => Buffer.compare(frame, receivedFrames[start + index]!) !== 0),
  ).toBe(-1)
}

const anyBytes = (length: number, seed: number): Uint8Array<ArrayBuffer> =>
  Uint8Array.from({ length }, (_, index) => (index * 31 + seed * 7) & 0xff)

function bytesWithHead(length: number, seed: number): Uint8Array<ArrayBuffer> {
  const bytes = anyBytes(Math.max(1, length), seed)
  bytes[0] = seed & 1
  return bytes
}

/** Waits some turns of the event loop and a little more, for events that should not happen. */
const waitForSilence = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 60))
