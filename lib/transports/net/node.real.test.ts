import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { constants, createSecureServer, type ServerHttp2Stream } from 'node:http2'
import { createServer as createHttpsServer } from 'node:https'
import type { AddressInfo, Server, Socket } from 'node:net'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { NetworkPlatform } from './net.ts'
import { createNet } from './node.ts'
import { createSelfSignedCertificate } from './self-signed-certificate.ts'

let certificate: { cert: string; key: string }
beforeAll(async () => {
  certificate = await createSelfSignedCertificate()
})

/** Echoes method, length header and body as they come. */
const echo: RequestListener = (request, response) => {
  response.setHeader('x-seen', `${request.method} ${request.headers['content-length'] ?? 'streamed'}`)
  if (request.url === '/204') return void response.writeHead(204).end()
  if (request.url === '/open') return void response.write('x')
  if (request.url === '/silent') return
  response.writeHead(200)
  response.flushHeaders()
  request.pipe(response)
}

const serverKinds = {
  'http/1.1': { scheme: 'http', make: () => createHttpServer(echo) },
  h2: { scheme: 'https', make: () => createSecureServer(certificate, echo as never) },
  'http/1.1 by ALPN': { scheme: 'https', make: () => createHttpsServer(certificate, echo) },
} as const

describe.each(Object.entries(serverKinds))('fetch over %s', (kind, { scheme, make }) => {
  let server: Server
  let origin: string
  let net: NetworkPlatform
  let sockets: Set<Socket>
  beforeEach(async () => {
    server = make()
    sockets = new Set()
    server.on('connection', (socket: Socket) => sockets.add(socket))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    origin = `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`
    net = createNet({ ca: certificate.cert })
  })
  afterEach(async () => {
    net.dispose()
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })

  const post = (path: string, body?: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array<ArrayBuffer>>) =>
    net.fetch(origin + path, { method: 'POST', ...(body && { body }) })

  test('a whole body is sent with its length, and echoed', async () => {
    const body = crypto.getRandomValues(new Uint8Array(60_000))
    const response = await post('/', body)
    expect([response.status, response.headers.get('x-seen')]).toEqual([200, 'POST 60000'])
    expect(Buffer.compare(body, new Uint8Array(await response.arrayBuffer()))).toBe(0)
    expect((await post('/')).headers.get('x-seen')).toBe('POST 0')
  })

  test('a streamed body is answered while it is being sent', async () => {
    let controller!: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>
    const response = await post('/', new ReadableStream({ start: (given) => void (controller = given) }))
    expect(response.headers.get('x-seen')).toBe('POST streamed')
    const reader = response.body!.getReader()
    for (const byte of [1, 2, 3]) {
      controller.enqueue(Uint8Array.of(byte))
      expect((await reader.read()).value).toEqual(Uint8Array.of(byte))
    }
    controller.close()
    expect((await reader.read()).done).toBe(true)
  })

  test('the protocol is known once a request was made', async () => {
    expect(net.protocolOf(origin)).toBe('')
    expect((await post('/204')).status).toBe(204)
    expect(net.protocolOf(`${origin}/anything`)).toBe(kind === 'h2' ? 'h2' : 'http/1.1')
  })

  test('[S5] round trips are measured by small requests, not by streamed bodies or parked requests', async () => {
    expect(net.roundTripMs(origin)).toBeUndefined()
    await net.fetch(origin + '/204', { method: 'POST', parked: true })
    await post('/204', new ReadableStream({ start: (controller) => controller.close() }))
    expect(net.roundTripMs(origin)).toBeUndefined()
    await post('/204')
    expect(net.roundTripMs(origin)).toBeGreaterThan(0)
  })

  test('the reader of an answer that breaks off gets an error', async () => {
    const response = await post('/open')
    for (const socket of sockets) socket.destroy()
    await expect(response.text()).rejects.toThrow()
  })

  test('an abort rejects, before the answer and within it', async () => {
    for (const path of ['/silent', '/']) {
      const abort = new AbortController()
      const { signal } = abort
      const body = new ReadableStream<Uint8Array<ArrayBuffer>>()
      const reading = net
        .fetch(origin + path, { method: 'POST', body, signal })
        .then((response) => response.text())
      setTimeout(() => abort.abort(), 30)
      await expect(reading).rejects.toMatchObject({ name: 'AbortError' })
    }
    await expect(net.fetch(origin, { method: 'GET', signal: AbortSignal.abort() })).rejects.toThrow()
  })

  test('a dead connection is replaced', async () => {
    await post('/204')
    for (const socket of sockets) socket.destroy()
    await expect.poll(async () => (await post('/204').catch(() => null))?.status).toBe(204)
  })

  test.runIf(kind === 'h2')('a request that an ending session refuses is made again, once', async () => {
    let refusals = 1
    server.prependListener('stream', (stream: ServerHttp2Stream) => {
      if (refusals-- > 0) stream.close(constants.NGHTTP2_REFUSED_STREAM)
    })
    expect((await post('/', Uint8Array.of(1))).status).toBe(200)
    expect(sockets.size).toBe(2)
    refusals = 2
    await expect(post('/', Uint8Array.of(1))).rejects.toThrow('REFUSED_STREAM')
  })

  test('a missing or untrusted server rejects', async () => {
    await expect(net.fetch(`${scheme}://127.0.0.1:1/`, { method: 'GET' })).rejects.toThrow(/ECONNREFUSED/)
    if (scheme === 'http') return
    const stranger = createNet()
    await expect(stranger.fetch(origin, { method: 'GET' })).rejects.toThrow(/self-signed|certificate/)
    stranger.dispose()
  })
})
