import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { MAX_BATCH_BYTES, MAX_FRAME_BYTES } from '../../lib/protocol/limits.ts'
import { type LinkKey, readLinkKeyFields, encodeLinkHead } from '../../lib/protocol/link-key.ts'
import { RecordDecoder } from '../../lib/protocol/record-decoder.ts'
import { type ControlRecord } from '../../lib/protocol/records.ts'
import { parseObject } from '../../lib/protocol/value-reader.ts'
import { createEncoder, toBytes, writeNumber } from '../../lib/protocol/wire.ts'
import type { RecordedLink } from '../../lib/transports/fixtures/recording-sink.ts'
import type { GatewayTiming } from './transport-gateway.ts'
import { createTransportGateways } from './transport-gateways.ts'
import { GatewayTestServer } from './fixtures/gateway-test-server.ts'

type Bytes = Uint8Array<ArrayBuffer>

const token = { authorization: 'Bearer a' }
const frame = (byte: number): Bytes => Uint8Array.of(byte)
/** Longer than any test waits. */
const LONG_WAIT_MS = 25_000

describe.each(['long-poll', 'poll'] as const)('the endpoints of %s', (id) => {
  let server: GatewayTestServer
  afterEach(() => server.close())
  const start = async (timing: GatewayTiming = {}): Promise<void> => {
    server = await GatewayTestServer.start((parts) => createTransportGateways(parts, { timing }))
  }
  beforeEach(() => start())

  const post = (path: string, body?: Bytes, headers: Record<string, string> = token, signal?: AbortSignal) =>
    fetch(server.http + path, { method: 'POST', headers, ...(body && { body }), ...(signal && { signal }) })

  async function openPolledLink(): Promise<RecordedLink & { key: LinkKey }> {
    const answer = await post(`/sync/${id}`)
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([201, 'no-store'])
    const key = readLinkKeyFields(parseObject(await answer.text()))!
    return { ...(await server.acceptor.next()), key }
  }

  const pollBodyOf = (key: LinkKey, cursor: number, holdMs: number): Bytes => {
    const encoder = createEncoder()
    writeNumber(encoder, cursor)
    writeNumber(encoder, holdMs)
    return Uint8Array.of(...encodeLinkHead(key), ...toBytes(encoder))
  }

  async function readAnswer(answer: Response) {
    const frames: Uint8Array[] = []
    const controls: ControlRecord[] = []
    const onControl = (control: ControlRecord): void => void controls.push(control)
    const decoder = new RecordDecoder({ onFrame: (one) => void frames.push(one), onControl })
    if (answer.status === 200) decoder.push(new Uint8Array(await answer.arrayBuffer()))
    const error = answer.status >= 400 ? ((await answer.json()) as { error: unknown }) : {}
    return { status: answer.status, frames, controls, ...error }
  }

  const poll = async (key: LinkKey, cursor: number, holdMs = 0, headers = token) =>
    readAnswer(await post('/sync/poll/next', pollBodyOf(key, cursor, holdMs), headers))

  /** Sends a poll that is to wait, which only long polling lets it do. */
  const holdPoll = (key: LinkKey, cursor = 0) => poll(key, cursor, LONG_WAIT_MS)

  test('[T2] a frame comes with the poll that asks for it, and 204 if there is none', async () => {
    const { link, key } = await openPolledLink()
    expect(await poll(key, 0)).toMatchObject({ status: 204 })
    for (const byte of [1, 2]) void link.send(frame(byte))
    expect(await poll(key, 0)).toMatchObject({ status: 200, frames: [frame(1), frame(2)] })
    void link.send(frame(3))
    expect(await poll(key, 2)).toMatchObject({ status: 200, frames: [frame(3)] })
    expect(await poll(key, 3)).toMatchObject({ status: 204 })
  })

  test('[S8] the end of the server waits until a poll has fetched why its link ends, but not for ever', async () => {
    const { link, key } = await openPolledLink()
    let isFinished = false
    const finished = server.finish(LONG_WAIT_MS).then(() => (isFinished = true))
    link.close({ code: 'going-away', retryAfterMs: 7 })
    await new Promise(setImmediate)
    expect(isFinished).toBe(false)
    expect(await poll(key, 0)).toMatchObject({
      controls: [{ type: 'close', reason: { code: 'going-away', retryAfterMs: 7 } }],
    })
    await finished
    await openPolledLink()
    await server.finish(1)
  })

  test('[T2] a lower cursor gets the rest again: the answer was lost, or the network repeats the request', async () => {
    const { link, key } = await openPolledLink()
    for (const byte of [1, 2]) void link.send(frame(byte))
    await poll(key, 0)
    expect((await poll(key, 0)).frames).toEqual([frame(1), frame(2)])
    void link.send(frame(3))
    expect((await poll(key, 1)).frames).toEqual([frame(2), frame(3)])
    expect((await poll(key, 2)).frames).toEqual([frame(3)])
  })

  test('[S6] if this side ends a link that is far behind, only the close is kept for the next poll', async () => {
    const { link, key } = await openPolledLink()
    const taken = [link.send(frame(1)), link.send(new Uint8Array(200_000)), link.send(frame(2))]
    link.close({ code: 'overloaded' })
    await Promise.all(taken)
    const { frames, controls } = await poll(key, 0)
    expect([frames, controls]).toEqual([[], [expect.objectContaining({ type: 'close' })]])
  })

  test('[S6] a queue over 4 MiB is not kept for the last poll, whatever ends the link', async () => {
    const { link, key } = await openPolledLink()
    const count = (4 * 1024 * 1024) / MAX_FRAME_BYTES
    const taken = Array.from({ length: count }, () => link.send(new Uint8Array(MAX_FRAME_BYTES)))
    link.close({ code: 'bad-message' })
    await Promise.all(taken)
    const { frames, controls } = await poll(key, 0)
    expect([frames, controls]).toEqual([[], [expect.objectContaining({ type: 'close' })]])
  })

  test('[S6] frames kept for the last poll of a link that the server ended count as taken only with that poll', async () => {
    const { link, key } = await openPolledLink()
    let isTaken = false
    const taken = link.send(new Uint8Array(100_000)).then(() => (isTaken = true))
    link.close({ code: 'bad-message' })
    await openPolledLink()
    expect(isTaken).toBe(false)
    expect((await poll(key, 0)).frames).toHaveLength(1)
    await taken
  })

  test('[A6] a cursor below the acknowledged one is a late repeat: it has no effect, and the link lives', async () => {
    const { link, key, received } = await openPolledLink()
    for (const byte of [1, 2]) void link.send(frame(byte))
    await poll(key, 0)
    await poll(key, 2)
    const waiting = holdPoll(key, 2)
    expect(await poll(key, 1)).toMatchObject({ status: 204, frames: [] })
    void link.send(frame(3))
    expect((await waiting).frames).toEqual(id === 'long-poll' ? [frame(3)] : [])
    expect(received.closes).toEqual([])
  })

  test('[A6] a cursor beyond what was sent is refused, and closes the link', async () => {
    const { link, key, received } = await openPolledLink()
    void link.send(frame(1))
    expect(await poll(key, 1)).toMatchObject({ status: 400, error: { code: 'lost' } })
    expect(await received.closed).toMatchObject({
      code: 'lost',
      detail: expect.stringContaining('1') as string,
    })
    expect(await poll(key, 0)).toMatchObject({ status: 404, error: { code: 'lost' } })
  })

  test('[S10] [A2] an unknown link, a wrong secret and another’s credential are each refused, and the link lives', async () => {
    const { key, received } = await openPolledLink()
    expect(await poll({ ...key, id: 'a.nobody' }, 0)).toMatchObject({ status: 404, error: { code: 'lost' } })
    expect(await poll({ ...key, id: key.id.replace('a.', 'b.') }, 0)).toMatchObject({
      status: 404,
      error: { code: 'lost' },
    })
    expect(await poll({ ...key, secret: new Uint8Array(16) }, 0)).toMatchObject({
      status: 403,
      error: { code: 'forbidden' },
    })
    const other = { authorization: 'Bearer b' }
    expect(await poll(key, 0, 0, other)).toMatchObject({ status: 403, error: { code: 'lost' } })
    expect(await poll(key, 0)).toMatchObject({ status: 204 })
    expect(received.closes).toEqual([])
  })

  test('[A1] a foreign origin is refused at both endpoints', async () => {
    const { key } = await openPolledLink()
    const foreign = { ...token, origin: 'https://evil.example' }
    for (const answer of [
      await post(`/sync/${id}`, undefined, foreign),
      await post('/sync/poll/next', pollBodyOf(key, 0, 0), foreign),
    ])
      expect(await readAnswer(answer)).toMatchObject({ status: 403, error: { code: 'origin' } })
  })

  test('[S8] while draining no link is opened, and clients get a retry time', async () => {
    server.draining = true
    const answer = await post(`/sync/${id}`)
    expect(answer.headers.get('retry-after')).toBe('1')
    expect(await readAnswer(answer)).toMatchObject({ status: 503, error: { code: 'going-away' } })
  })

  test.each([
    ['no body', () => new Uint8Array(), 400, 'bad-frame'],
    ['a head alone', (key: LinkKey) => encodeLinkHead(key), 400, 'bad-frame'],
    ['a cursor alone', (key: LinkKey) => Uint8Array.of(...encodeLinkHead(key), 0), 400, 'bad-frame'],
    [
      'a number without an end',
      (key: LinkKey) => Uint8Array.of(...encodeLinkHead(key), 0x80, 0x80),
      400,
      'bad-frame',
    ],
    [
      'more than there is to say',
      (key: LinkKey) => Uint8Array.of(...pollBodyOf(key, 0, 0), 0),
      400,
      'bad-frame',
    ],
    ['a body over the limit', () => new Uint8Array(100_000), 413, 'too-large'],
  ])('[A6] %s: refused, and the link lives', async (_what, body, status, code) => {
    const { key, received } = await openPolledLink()
    expect(await readAnswer(await post('/sync/poll/next', body(key)))).toMatchObject({
      status,
      error: { code },
    })
    expect(await poll(key, 0)).toMatchObject({ status: 204 })
    expect(received.closes).toEqual([])
  })

  test('[A6] a link of another transport is not polled, and lives', async () => {
    const { ticket, ...fields } = parseObject(await (await post('/sync/sse/ticket')).text())
    expect(ticket).toBeTypeOf('string')
    const answer = await poll(readLinkKeyFields(fields)!, 0)
    expect(answer).toMatchObject({ status: 400, error: { code: 'bad-message' } })
  })

  test('[T6] an answer takes what fits, and the next the rest', async () => {
    const { link, key } = await openPolledLink()
    const count = MAX_BATCH_BYTES / MAX_FRAME_BYTES + 1
    for (let sent = 0; sent < count; sent++) void link.send(new Uint8Array(MAX_FRAME_BYTES).fill(sent))
    link.close({ code: 'going-away' })
    const taken: number[] = []
    for (let cursor = 0; cursor < count; cursor = taken.reduce((sum, frames) => sum + frames, 0)) {
      const { frames, controls } = await poll(key, cursor)
      expect(frames.map((one) => one[0])).toEqual(frames.map((_one, index) => cursor + index))
      taken.push(frames.length)
      expect(controls).toEqual(
        cursor + frames.length < count ? [] : [{ type: 'close', reason: { code: 'going-away' } }],
      )
    }
    // Each answer is larger, as this network is fast, up to MAX_BATCH_BYTES.
    expect(taken).toEqual([1, 1, 1, 2])
    expect(await poll(key, count)).toMatchObject({ status: 404 })
  })

  test('[S6] send waits for a reader that does not poll, and goes on when it has acknowledged', async () => {
    const { link, key } = await openPolledLink()
    let hasRoom = false
    void link.send(new Uint8Array(70_000)).then(() => (hasRoom = true))
    await poll(key, 0)
    expect(hasRoom).toBe(false)
    await poll(key, 1)
    await expect.poll(() => hasRoom).toBe(true)
  })

  test('[T1] a link that nobody polls ends, though frames are still sent on it', async () => {
    await server.close()
    await start({ maxHoldMs: LONG_WAIT_MS, unpolledTimeoutMs: 100 })
    const { link, key, received } = await openPolledLink()
    void link.send(frame(1))
    expect(await received.closed).toMatchObject({
      code: 'lost',
      detail: expect.stringContaining('0.1 s') as string,
    })
    expect(await poll(key, 0)).toMatchObject({ status: 404, error: { code: 'lost' } })
  })
})

describe('a poll that waits', () => {
  /** More than a busy machine takes from the opening to the first poll. */
  const UNPOLLED_TIMEOUT_MS = 1_000
  let server: GatewayTestServer
  beforeEach(async () => {
    server = await GatewayTestServer.start((parts) =>
      createTransportGateways(parts, {
        timing: { maxHoldMs: LONG_WAIT_MS, unpolledTimeoutMs: UNPOLLED_TIMEOUT_MS },
      }),
    )
  })
  afterEach(() => server.close())

  async function openPolledLink() {
    const init = { method: 'POST', headers: token }
    const key = readLinkKeyFields(
      parseObject(await (await fetch(`${server.http}/sync/long-poll`, init)).text()),
    )!
    const { link, received } = await server.acceptor.next()
    const holdPoll = async (cursor = 0) => {
      const abort = new AbortController()
      const encoder = createEncoder()
      writeNumber(encoder, cursor)
      writeNumber(encoder, LONG_WAIT_MS)
      const body = Uint8Array.of(...encodeLinkHead(key), ...toBytes(encoder))
      const before = server.requestLog.length
      const answer = fetch(`${server.http}/sync/poll/next`, { ...init, body, signal: abort.signal })
      answer.catch(() => {})
      await expect.poll(() => server.requestLog.length).toBe(before + 1)
      await new Promise((resolve) => setTimeout(resolve, 20))
      return { answer, abort }
    }
    return { link, received, holdPoll }
  }

  test('is answered when a frame is sent, and keeps the link alive meanwhile', async () => {
    const { link, received, holdPoll } = await openPolledLink()
    const { answer } = await holdPoll()
    await new Promise((resolve) => setTimeout(resolve, UNPOLLED_TIMEOUT_MS + 200))
    expect(received.closes).toEqual([])
    void link.send(frame(1))
    void link.send(frame(2))
    expect((await (await answer).arrayBuffer()).byteLength).toBe(4)
  })

  test('is answered when the next one comes', async () => {
    const { link, holdPoll } = await openPolledLink()
    const first = await holdPoll()
    const second = await holdPoll()
    expect((await first.answer).status).toBe(204)
    void link.send(frame(1))
    expect((await second.answer).status).toBe(200)
  })

  test('ends if it breaks off, and the link does not', async () => {
    const { link, received, holdPoll } = await openPolledLink()
    ;(await holdPoll()).abort.abort()
    const again = await holdPoll()
    void link.send(frame(1))
    expect((await again.answer).status).toBe(200)
    expect(received.closes).toEqual([])
  })

  test('ends the link in time if it breaks off and no other follows', async () => {
    const { received, holdPoll } = await openPolledLink()
    ;(await holdPoll()).abort.abort()
    expect((await received.closed).code).toBe('lost')
  })

  test('is answered at once when the link closes', async () => {
    const { link, holdPoll } = await openPolledLink()
    const { answer } = await holdPoll()
    link.close({ code: 'going-away' })
    expect(await (await answer).text()).toContain('"number":2')
  })
})
