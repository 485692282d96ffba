import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readSseTicket, type SseTicket } from '../../lib/protocol/http.ts'
import { MAX_BATCH_BYTES, MAX_FRAME_BYTES } from '../../lib/protocol/limits.ts'
import { type LinkKey, encodeLinkHead } from '../../lib/protocol/link-key.ts'
import { encodeControl, encodeRecords } from '../../lib/protocol/records.ts'
import type { NetworkPlatform } from '../../lib/transports/net/net.ts'
import { createNet } from '../../lib/transports/net/node.ts'
import type { RecordedLink } from '../../lib/transports/fixtures/recording-sink.ts'
import { GatewayTestServer } from './fixtures/gateway-test-server.ts'

const token = { authorization: 'Bearer a' }
type Bytes = Uint8Array<ArrayBuffer>

describe.each(['http', 'https'] as const)('the way up over %s', (scheme) => {
  let server: GatewayTestServer
  let net: NetworkPlatform
  beforeEach(async () => {
    server = await GatewayTestServer.start()
    net = createNet({ insecure: true })
  })
  afterEach(async () => {
    net.dispose()
    await server.close()
  })

  const post = (path: string, body?: Bytes, headers: Record<string, string> = token): Promise<Response> =>
    net.fetch(server[scheme] + path, { method: 'POST', headers, ...(body && { body }) })

  const fetchTicket = async (): Promise<SseTicket> =>
    readSseTicket(await (await post('/sync/sse/ticket')).text())!

  /** A link whose events nobody reads, and its key. */
  async function openUnreadLink(): Promise<RecordedLink & { key: LinkKey; down: Response }> {
    const { ticket, key } = await fetchTicket()
    const down = await net.fetch(`${server[scheme]}/sync/sse?ticket=${ticket}`, {
      method: 'GET',
      headers: token,
    })
    return { ...(await server.acceptor.next()), key, down }
  }

  async function postBody(body: Bytes, headers?: Record<string, string>) {
    const response = await post('/sync/up', body, headers)
    const text = await response.text()
    return { status: response.status, ...(text ? (JSON.parse(text) as object) : {}) }
  }

  const encodeBody = (key: LinkKey, ...frames: Uint8Array[]): Bytes =>
    encodeRecords(frames, { before: encodeLinkHead(key) })

  /** A streamed body that is not ended. */
  function startStreamedBody(firstChunk: Bytes): { abort(): void; answer: Promise<Response> } {
    const abort = new AbortController()
    const body = new ReadableStream<Bytes>({ start: (controller) => controller.enqueue(firstChunk) })
    const init = { method: 'POST', headers: token, body, signal: abort.signal } as const
    const answer = net.fetch(`${server[scheme]}/sync/up`, init)
    answer.catch(() => {})
    return { abort: () => abort.abort(), answer }
  }

  test('[T2] batched frames arrive, and are answered with 204', async () => {
    const { received, key } = await openUnreadLink()
    expect(
      await postBody(encodeBody(key, Uint8Array.of(1), new Uint8Array(), new Uint8Array(MAX_FRAME_BYTES))),
    ).toEqual({ status: 204 })
    expect(received.frames.map((frame) => frame.length)).toEqual([1, 0, MAX_FRAME_BYTES])
  })

  test('[S5] a streamed body is confirmed on the downstream, before any frame of it', async () => {
    const { key, down } = await openUnreadLink()
    const sending = startStreamedBody(encodeLinkHead(key))
    const reader = down.body!.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    while (!text.includes('event:up\n')) text += (await reader.read()).value!
    sending.abort()
  })

  test('[A2] [S10] neither id nor key alone open anything: the body is refused, and the link lives', async () => {
    const { received, key } = await openUnreadLink()
    const guessed = { ...key, secret: new Uint8Array(16) }
    expect(await postBody(encodeBody(guessed, Uint8Array.of(1)))).toMatchObject({
      status: 403,
      error: { code: 'forbidden' },
    })
    // The refusal asks for a retry, because an honest window meets it once its cookie is renewed.
    expect(await postBody(encodeBody(key, Uint8Array.of(1)), { authorization: 'Bearer b' })).toMatchObject({
      status: 403,
      error: { code: 'lost' },
    })
    expect(received).toMatchObject({ frames: [], closes: [] })
    expect(await postBody(encodeBody(key, Uint8Array.of(2)))).toEqual({ status: 204 })
    expect(received.frames).toEqual([Uint8Array.of(2)])
  })

  test('[A1] a foreign origin is refused before its body is read', async () => {
    const { received, key } = await openUnreadLink()
    const headers = { ...token, origin: 'https://evil.example' }
    expect(await postBody(encodeBody(key, Uint8Array.of(1)), headers)).toMatchObject({
      status: 403,
      error: { code: 'origin' },
    })
    expect(received.frames).toEqual([])
  })

  test('[A6] an id that nobody has, or had until its link ended, is unknown', async () => {
    const { link, key } = await openUnreadLink()
    expect(await postBody(encodeBody({ ...key, id: 'a.nobody' }))).toMatchObject({
      status: 404,
      error: { code: 'lost' },
    })
    link.close({ code: 'done' })
    expect(await postBody(encodeBody(key))).toMatchObject({ status: 404, error: { code: 'lost' } })
  })

  test.each([
    ['no head', () => new Uint8Array(), 400, 'bad-frame'],
    ['half a head', (key: LinkKey) => encodeLinkHead(key).subarray(0, 9), 400, 'bad-frame'],
  ])('[A6] %s: refused', async (_what, body, status, code) => {
    const { key } = await openUnreadLink()
    expect(await postBody(body(key))).toMatchObject({ status, error: { code } })
  })

  test.each([
    [
      'a length that promises more than there is',
      (key: LinkKey) => encodeBody(key, new Uint8Array(10)).subarray(0, -1),
      400,
      'bad-frame',
    ],
    ['half a length', (key: LinkKey) => Uint8Array.of(...encodeLinkHead(key), 0x80), 400, 'bad-frame'],
    [
      'a length without end',
      (key: LinkKey) => Uint8Array.of(...encodeLinkHead(key), 0xff, 0xff, 0xff, 0xff, 0xff),
      400,
      'bad-frame',
    ],
    [
      'a frame over the limit',
      (key: LinkKey) => encodeBody(key, new Uint8Array(MAX_FRAME_BYTES + 1)),
      413,
      'too-large',
    ],
    [
      'a body over the limit',
      (key: LinkKey) => encodeBody(key, ...Array.from({ length: 5 }, () => new Uint8Array(MAX_FRAME_BYTES))),
      413,
      'too-large',
    ],
  ])('[A6] %s: refused, and the link closed with the reason', async (_what, body, status, code) => {
    const { received, key } = await openUnreadLink()
    expect(await postBody(body(key))).toMatchObject({
      status,
      error: { code, message: expect.any(String) as string },
    })
    expect(await received.closed).toMatchObject({ code, detail: expect.any(String) as string })
  })

  test('[A6] random bytes behind a head harm nobody else', async () => {
    const other = await openUnreadLink()
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 40 }), async (rubbish) => {
        const { key, link } = await openUnreadLink()
        const { status } = await postBody(Uint8Array.of(...encodeLinkHead(key), ...rubbish))
        expect([204, 400, 413]).toContain(status)
        link.close({ code: 'done' })
      }),
      { numRuns: 40 },
    )
    expect(await postBody(encodeBody(other.key, Uint8Array.of(1)))).toEqual({ status: 204 })
    expect(other.received.frames.length).toBe(1)
  })

  test.each(['one stream', 'a batch'])('[S9] a close in %s ends the link with its reason', async (how) => {
    const { received, key } = await openUnreadLink()
    const reason = { code: 'drained', detail: '“d”', retryAfterMs: 5 } as const
    const body = encodeRecords([Uint8Array.of(1)], {
      before: encodeLinkHead(key),
      after: encodeControl({ type: 'close', reason }),
    })
    const status =
      how === 'a batch' ? (await postBody(body)).status : (await startStreamedBody(body).answer).status
    expect(status).toBe(204)
    expect(await received.closed).toEqual(reason)
    expect(received.frames).toEqual([Uint8Array.of(1)])
    expect(await postBody(encodeBody(key))).toMatchObject({ status: 404, error: { code: 'lost' } })
    await expect.poll(() => server.openUploads, { timeout: 10_000 }).toBe(0)
  })

  test('[A6] a frame before the stream of events is open is refused', async () => {
    const { key } = await fetchTicket()
    expect(await postBody(encodeBody(key, Uint8Array.of(1)))).toMatchObject({
      status: 400,
      error: { code: 'bad-frame' },
    })
  })

  test('[A6] a wrong method is answered with the right one', async () => {
    const response = await net.fetch(`${server[scheme]}/sync/up`, { method: 'GET', headers: token })
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST'])
  })

  test('[T2] a streamed body that breaks off after a frame ends the link', async () => {
    const { received, key } = await openUnreadLink()
    const sending = startStreamedBody(encodeBody(key, Uint8Array.of(1)))
    await received.waitForFrames(1)
    sending.abort()
    expect(await received.closed).toMatchObject({ code: 'lost' })
  })

  test('[S5] a streamed body given up before any frame was only an attempt: the link lives', async () => {
    const { received, key, link } = await openUnreadLink()
    const sending = startStreamedBody(encodeLinkHead(key))
    await expect.poll(() => link.info.up).toBe('streamed body')
    sending.abort()
    await expect.poll(() => link.info.up).toBe('batched posts')
    expect(await postBody(encodeBody(key, Uint8Array.of(1)))).toEqual({ status: 204 })
    expect(received).toMatchObject({ frames: [Uint8Array.of(1)], closes: [] })
  })

  test('[T1] a streamed body that stalls does not outlive its link', async () => {
    const { key, link } = await openUnreadLink()
    const sending = startStreamedBody(encodeLinkHead(key))
    await expect.poll(() => link.info.up).toBe('streamed body')
    link.close({ code: 'done' })
    expect((await sending.answer).status).toBe(204)
    await expect.poll(() => server.openUploads, { timeout: 10_000 }).toBe(0)
  })

  test('[MAX_BATCH_BYTES] leaves room for a frame of the largest size', () => {
    expect(
      encodeBody({ id: 'a'.repeat(100), secret: new Uint8Array(16) }, new Uint8Array(MAX_FRAME_BYTES)).length,
    ).toBeLessThan(MAX_BATCH_BYTES)
  })
})
