/** Requests that are reset (RST_STREAM): a flood of them ends its connection, ordinary ones do not (A6). */
import { once } from 'node:events'
import http2 from 'node:http2'
import tls from 'node:tls'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { httpClients } from './fixtures/http-clients.ts'
import { startTestServer } from './fixtures/test-server.ts'
import { MAX_CONCURRENT_STREAMS, MAX_RESETS_AT_ONCE } from './listener-limits.ts'

let apiRequests: number
let server: Awaited<ReturnType<typeof startTestServer>>

beforeEach(async () => {
  apiRequests = 0
  const api = async (): Promise<Response> => {
    apiRequests += 1
    return new Response('answered')
  }
  server = await startTestServer({ services: { api } })
})
afterEach(() => server[Symbol.asyncDispose]())

const HEADERS = 1
const RST_STREAM = 3
const SETTINGS = 4
const GOAWAY = 7
const CANCEL = Buffer.from([0, 0, 0, 8])

function encodeFrame(type: number, flags: number, stream: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(9)
  head.writeUIntBE(payload.length, 0, 3)
  head[3] = type
  head[4] = flags
  head.writeUInt32BE(stream, 5)
  return Buffer.concat([head, payload])
}

/** `GET /api/a` of localhost over https, without HPACK's tables of either side. */
const requestHeaders = Buffer.from([
  0x82,
  0x87,
  0x04,
  6,
  ...Buffer.from('/api/a'),
  0x01,
  9,
  ...Buffer.from('localhost'),
])

/** Opens requests and resets each at once. Resolves with the types of the received frames when the connection is cut. */
async function sendResetFlood(streams: number): Promise<number[]> {
  const socket = tls.connect({
    port: Number(new URL(server.https).port),
    ALPNProtocols: ['h2'],
    rejectUnauthorized: false,
  })
  const received: Buffer[] = []
  socket.on('data', (bytes: Buffer) => received.push(bytes)).on('error', () => {})
  const closed = once(socket, 'close')
  await once(socket, 'secureConnect')
  const pairs = Array.from({ length: streams }, (_, index) => [
    encodeFrame(HEADERS, 0x5, 2 * index + 1, requestHeaders),
    encodeFrame(RST_STREAM, 0, 2 * index + 1, CANCEL),
  ])
  const opening = [
    Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
    encodeFrame(SETTINGS, 0, 0, Buffer.alloc(0)),
  ]
  socket.write(Buffer.concat([...opening, ...pairs.flat()]))
  await closed
  return frameTypesOf(Buffer.concat(received))
}

function frameTypesOf(bytes: Buffer): number[] {
  const types: number[] = []
  for (let at = 0; at + 9 <= bytes.length; at += 9 + bytes.readUIntBE(at, 3)) types.push(bytes[at + 3]!)
  return types
}

test('[A6] 20,000 requests reset at once end their connection, cost no work, and delay nobody', async () => {
  const flooding = sendResetFlood(20_000)
  const { status } = await httpClients.h2(server, '/api/other')
  expect(status).toBe(200)
  expect(await flooding).toContain(GOAWAY)
  expect(apiRequests).toBe(1)
})

test('[A6] a connection may reset 400 requests at once, and 100 a second', async () => {
  const create = vi.spyOn(http2, 'createSecureServer')
  try {
    await using _another = await startTestServer()
    expect(create.mock.lastCall![0]).toMatchObject({ streamResetBurst: 400, streamResetRate: 100 })
  } finally {
    create.mockRestore()
  }
})

test('[A6] the limit is the server’s own, not Node’s larger one', async () => {
  expect(await sendResetFlood(2 * MAX_RESETS_AT_ONCE)).toContain(GOAWAY)
})

test('[A6] a browser that resets all that it may have open is answered on the same connection', async () => {
  const session = http2.connect(server.https, { rejectUnauthorized: false })
  try {
    await once(session, 'remoteSettings')
    const streams = Array.from({ length: MAX_CONCURRENT_STREAMS }, () =>
      session.request({ ':path': '/api/a' }),
    )
    const closed = streams.map((stream) => once(stream, 'close'))
    for (const stream of streams) stream.close(http2.constants.NGHTTP2_CANCEL)
    await Promise.all(closed)
    const last = session.request({ ':path': '/api/a' })
    const [headers] = (await once(last, 'response')) as [http2.IncomingHttpHeaders]
    expect(headers[':status']).toBe(200)
  } finally {
    session.destroy()
  }
})
