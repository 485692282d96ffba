/** The WebSocket endpoints within HTTP/2: they refuse and limit the same as those for upgraded connections. */
import { once } from 'node:events'
import type { ClientHttp2Session, IncomingHttpHeaders } from 'node:http2'
import { connect } from 'node:http2'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { MAX_FRAME_BYTES } from '../../lib/protocol/limits.ts'
import { GatewayTestServer } from './fixtures/gateway-test-server.ts'

const token = { authorization: 'Bearer a' }

describe('a WebSocket within HTTP/2', () => {
  let server: GatewayTestServer
  let session: ClientHttp2Session
  beforeEach(async () => {
    server = await GatewayTestServer.start()
    session = connect(server.https, { rejectUnauthorized: false })
    session.on('error', () => {})
    await once(session, 'remoteSettings')
  })
  afterEach(async () => {
    session.destroy()
    await server.close()
  })

  async function sendConnect(headers: Record<string, string>, path = '/sync/websocket') {
    const stream = session.request({
      ':method': 'CONNECT',
      ':protocol': 'websocket',
      ':path': path,
      'sec-websocket-version': '13',
      ...headers,
    })
    stream.on('error', () => {})
    const [answer] = (await once(stream, 'response')) as [IncomingHttpHeaders & { ':status': number }]
    return { stream, status: answer[':status'], headers: answer }
  }

  async function readRefusal(headers: Record<string, string>, path?: string) {
    const { stream, ...answer } = await sendConnect(headers, path)
    return { ...answer, ...(JSON.parse(await text(stream)) as object) }
  }

  /** A client's masked frame with an empty mask: opcode and payload. */
  function encodeClientFrame(opcode: number, payload: Uint8Array): Buffer {
    const length = Buffer.alloc(8)
    length.writeBigUInt64BE(BigInt(payload.byteLength))
    return Buffer.concat([Buffer.of(0x80 | opcode, 0xff), length, Buffer.alloc(4), payload])
  }

  test('shows its protocol by the picked subprotocol', async () => {
    const offered = await sendConnect({ ...token, 'sec-websocket-protocol': 'diptych.h2, diptych' })
    expect(offered).toMatchObject({ status: 200, headers: { 'sec-websocket-protocol': 'diptych.h2' } })
    expect((await server.acceptor.next()).link.info.protocol).toBe('h2')
    const silent = await sendConnect(token)
    expect(silent.status).toBe(200)
    expect(silent.headers['sec-websocket-protocol']).toBeUndefined()
  })

  test('[A1] a foreign origin is refused, with a cookie or a token; so is a cookie without an origin', async () => {
    const foreign = { origin: 'https://evil.example' }
    for (const headers of [{ ...token, ...foreign }, { cookie: 's=1', ...foreign }, { cookie: 's=1' }])
      expect(await readRefusal(headers)).toMatchObject({ status: 403, error: { code: 'origin' } })
    expect(server.acceptor.links).toEqual([])
  })

  test('[A2] a client without credentials is asked to sign in', async () => {
    expect(await readRefusal({})).toMatchObject({ status: 401, error: { code: 'sign-in' } })
  })

  test('[S8] while draining it gets a retry time', async () => {
    server.draining = true
    const answer = await readRefusal(token)
    expect(answer).toMatchObject({
      status: 503,
      headers: { 'retry-after': '1' },
      error: { code: 'going-away' },
    })
  })

  test('[A6] there is no WebSocket at other paths', async () => {
    expect(await readRefusal(token, '/sync/sse')).toMatchObject({ status: 404, error: { code: 'not-found' } })
  })

  test('[A6] a text frame closes the link with bad-frame', async () => {
    const { stream } = await sendConnect(token)
    const { received } = await server.acceptor.next()
    stream.write(encodeClientFrame(1, Buffer.from('{}')))
    expect(await received.closed).toMatchObject({ code: 'bad-frame' })
  })

  test('[T6] a frame over the limit closes the link with too-large and the limit named', async () => {
    const { stream } = await sendConnect(token)
    const { received } = await server.acceptor.next()
    stream.write(encodeClientFrame(2, new Uint8Array(MAX_FRAME_BYTES + 1)))
    expect(await received.closed).toMatchObject({
      code: 'too-large',
      detail: expect.stringContaining('262144') as string,
    })
  })

  test('[A6] a message in thousands of pieces closes the link: each costs far more than its byte', async () => {
    const { stream } = await sendConnect(token)
    const { received } = await server.acceptor.next()
    const piece = (opcode: number) => Buffer.of(opcode, 0x81, 0, 0, 0, 0, 7)
    stream.write(Buffer.concat([piece(2), ...Array.from({ length: 2_000 }, () => piece(0))]))
    expect(await received.closed).toMatchObject({ code: 'bad-frame', detail: 'Too many message fragments' })
  })

  test('[T1] a stream that is reset ends the link', async () => {
    const { stream } = await sendConnect(token)
    const { received } = await server.acceptor.next()
    stream.close(8)
    expect(await received.closed).toMatchObject({ code: 'lost' })
  })
})
