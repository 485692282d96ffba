import { once } from 'node:events'
import http from 'node:http'
import type { IncomingMessage } from 'node:http'
import http2 from 'node:http2'
import net from 'node:net'
import tls from 'node:tls'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { httpClients } from './fixtures/http-clients.ts'
import type { RequestHandler } from './gateways/gateway.ts'
import { startTestServer } from './fixtures/test-server.ts'
import { MAX_BODY_BYTES, MAX_CONCURRENT_STREAMS } from './listener-limits.ts'

const clientEntries = Object.entries(httpClients)

let server: Awaited<ReturnType<typeof startTestServer>>

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server[Symbol.asyncDispose]())

describe.each(clientEntries)('over %s', (client, sendRequest) => {
  const origin = () => (client === 'http/1.1' ? server.http : server.https)

  test('GET /healthz says ok', async () => {
    const { status, headers, body } = await sendRequest(server, '/healthz')
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('application/json')
    expect(JSON.parse(String(body))).toEqual({
      status: 'ok',
      version: expect.any(String),
      uptimeSeconds: expect.any(Number),
      store: 'sqlite',
    })
  })

  test('the API gets method, address and body, and may set several cookies', async () => {
    const { status, headers, body } = await sendRequest(server, '/api/things?a=1', {
      method: 'POST',
      body: 'héllo',
    })
    expect(status).toBe(200)
    expect(JSON.parse(String(body))).toEqual({
      method: 'POST',
      url: `${origin()}/api/things?a=1`,
      body: 'héllo',
    })
    expect(headers['set-cookie']).toEqual(['a=1', 'b=2'])
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(headers['cross-origin-resource-policy']).toBe('same-origin')
  })

  test('HEAD has the headers of GET and no body', async () => {
    const { status, body } = await sendRequest(server, '/api/things', { method: 'HEAD' })
    expect([status, body.length]).toEqual([200, 0])
  })

  test('a body up to the limit passes', async () => {
    const { status } = await sendRequest(server, '/api/things', {
      method: 'POST',
      body: Buffer.alloc(MAX_BODY_BYTES),
    })
    expect(status).toBe(200)
  })

  test.each([
    ['announced', { 'content-length': String(MAX_BODY_BYTES + 1) }],
    ['not announced', {}],
  ])('a larger body, %s, is answered 413', async (_how, headers) => {
    const body = Buffer.alloc(MAX_BODY_BYTES + 1)
    const answer = await sendRequest(server, '/api/things', { method: 'POST', body, headers })
    expect(answer.status).toBe(413)
    expect(errorOf(answer.body)).toEqual({
      code: 'too-large',
      message: `The body is larger than the limit of ${MAX_BODY_BYTES} bytes.`,
    })
  })

  test('an unknown path is answered 404', async () => {
    const { status, body } = await sendRequest(server, '/nothing')
    expect([status, errorOf(body).code]).toEqual([404, 'not-found'])
  })

  test('headers over the limit are refused, and the server survives', async () => {
    const refused = await sendRequest(server, '/healthz', { headers: { 'x-long': 'a'.repeat(20_000) } }).then(
      ({ status }) => status,
      () => 'cut',
    )
    expect([431, 'cut']).toContain(refused)
    expect((await sendRequest(server, '/healthz')).status).toBe(200)
  })

  test('a client that goes away in the middle affects nobody else', async () => {
    await breakOffRequest(client)
    expect((await sendRequest(server, '/healthz')).status).toBe(200)
  })
})

describe('TLS', () => {
  test.each([
    [['h2', 'http/1.1'], 'h2'],
    [['http/1.1'], 'http/1.1'],
  ])('ALPN %j chooses %s', async (ALPNProtocols, expected) => {
    const socket = tls.connect({ ...addressOf(server.https), ALPNProtocols, rejectUnauthorized: false })
    await once(socket, 'secureConnect')
    expect(socket.alpnProtocol).toBe(expected)
    socket.destroy()
  })

  test('the limits of an HTTP/2 session are announced', async () => {
    const session = http2.connect(server.https, { rejectUnauthorized: false })
    const [settings] = (await once(session, 'remoteSettings')) as [http2.Settings]
    expect(settings.maxConcurrentStreams).toBe(MAX_CONCURRENT_STREAMS)
    session.destroy()
  })

  test('bytes that are not TLS or not HTTP affect nobody else', async () => {
    for (const origin of [server.http, server.https]) {
      const socket = net.connect(addressOf(origin)).on('error', () => {})
      socket.end(Buffer.from('\x16\x03\x01\x00\x05nonsense\r\n\r\n', 'latin1')).resume()
      await once(socket, 'close')
    }
    expect((await httpClients.h2(server, '/healthz')).status).toBe(200)
  })
})

describe('plain http from another computer', () => {
  const host = 'docs.example.org'

  test('is redirected to the same page over https, with its method', async () => {
    const { status, headers } = await httpClients['http/1.1'](server, '/d/1?a=b', {
      method: 'POST',
      headers: { host },
    })
    expect(status).toBe(308)
    expect(headers.location).toBe(`https://${host}:${new URL(server.https).port}/d/1?a=b`)
  })

  test('is redirected to PUBLIC_URL if it is set', async () => {
    await using other = await startTestServer({ environment: { PUBLIC_URL: 'https://docs.example.org' } })
    const { headers } = await httpClients['http/1.1'](other, '/d/1', {
      headers: { host: '192.168.1.5:3000' },
    })
    expect(headers.location).toBe('https://docs.example.org/d/1')
  })

  test('still reports health', async () => {
    expect((await httpClients['http/1.1'](server, '/healthz', { headers: { host } })).status).toBe(200)
  })

  test('an invalid Host is answered 400', async () => {
    const { status, body } = await httpClients['http/1.1'](server, '/', { headers: { host: 'a/b@c' } })
    expect([status, errorOf(body).code]).toEqual([400, 'host'])
  })

  test('upgrades are refused', async () => {
    expect(await sendUpgrade(server.http, '/echo', { host })).toBe(403)
  })
})

describe('gateways', () => {
  const receivedRequests: [path: string, secure: boolean][] = []
  const handler: RequestHandler = {
    handleRequest(request, response, secure) {
      if (request.url !== '/sync') return false
      receivedRequests.push([request.url, secure])
      response.end('by the gateway')
      return true
    },
    handleUpgrade(request, socket, _head, secure) {
      if (request.url !== '/sync') return false
      receivedRequests.push([request.url, secure])
      socket.end('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n')
      return true
    },
  }

  test('get requests and upgrades first, and know whether they came over TLS', async () => {
    await using other = await startTestServer({ services: { requestHandlers: [handler] } })
    for (const [, sendRequest] of clientEntries)
      expect(String((await sendRequest(other, '/sync')).body)).toBe('by the gateway')
    for (const origin of [other.http, other.https]) expect(await sendUpgrade(origin, '/sync')).toBe(101)
    expect(receivedRequests.map(([, secure]) => secure)).toEqual([false, true, true, false, true])
  })

  test.each(['on', 'off'])('a WebSocket within HTTP/2, when WEBSOCKET_OVER_H2 is %s', async (setting) => {
    const environment = { WEBSOCKET_OVER_H2: setting }
    await using other = await startTestServer({ environment })
    const session = http2.connect(other.https, { rejectUnauthorized: false })
    const [settings] = (await once(session, 'remoteSettings')) as [http2.Settings]
    expect(settings.enableConnectProtocol ?? false).toBe(setting === 'on')
    if (setting === 'on') {
      const connectHeaders = { ':method': 'CONNECT', ':protocol': 'websocket', ':path': '/unknown' }
      const [answer] = (await once(session.request(connectHeaders), 'response')) as [{ ':status': number }]
      expect(answer[':status']).toBe(404)
      const tunnel = session.request({ ':method': 'CONNECT', ':protocol': 'other', ':path': '/unknown' })
      const [refusal] = (await once(tunnel, 'response')) as [{ ':status': number }]
      expect(refusal[':status']).toBe(501)
    }
    session.destroy()
  })

  test('upgrades of unknown paths are refused, on both ports', async () => {
    for (const origin of [server.http, server.https]) expect(await sendUpgrade(origin, '/unknown')).toBe(404)
  })

  test('an upgrade request to anything but a WebSocket is answered as a plain request', async () => {
    const headers = { connection: 'upgrade', upgrade: 'h2c' }
    expect((await httpClients['http/1.1'](server, '/healthz', { headers })).status).toBe(200)
    expect((await httpClients['http/1.1 over TLS'](server, '/healthz', { headers })).status).toBe(200)
  })
})

describe('health and draining', () => {
  test('a failing store is no reason to restart, but not ready: 503', async () => {
    const checkStore = () => Promise.reject(new Error('disk full'))
    await using other = await startTestServer({ services: { checkStore } })
    const { status, body } = await httpClients.h2(other, '/readyz')
    expect([status, JSON.parse(String(body)).reason]).toEqual([503, 'store'])
    expect((await httpClients.h2(other, '/healthz')).status).toBe(200)
  })

  test('GET /readyz says ready, on either port and under any name', async () => {
    for (const [, sendRequest] of clientEntries) {
      const { status, body } = await sendRequest(server, '/readyz', { headers: { host: 'node.example' } })
      expect([status, JSON.parse(String(body)).status]).toEqual([200, 'ready'])
    }
  })

  test('during a drain the server is alive and not ready, and open requests complete', async () => {
    const draining = Promise.withResolvers<void>()
    const answering = Promise.withResolvers<void>()
    await using other = await startTestServer({
      services: {
        api: () => answering.promise.then(() => new Response('done')),
        finishSteps: [{ name: 'sessions', limitMs: 10_000, run: () => draining.promise }],
      },
    })
    const open = clientEntries.map(([, sendRequest]) => sendRequest(other, '/api/slow'))
    await httpClients.h2(other, '/healthz')
    const drained = other.drain()
    for (const [, sendRequest] of clientEntries) {
      const { status, body } = await sendRequest(other, '/readyz')
      expect([status, JSON.parse(String(body)).reason]).toEqual([503, 'draining'])
      expect((await sendRequest(other, '/healthz')).status).toBe(200)
    }
    draining.resolve()
    answering.resolve()
    for (const answer of await Promise.all(open)) expect(String(answer.body)).toBe('done')
    await drained
    await expect(httpClients.h2(other, '/healthz')).rejects.toThrow(/ECONNREFUSED/)
  })

  test('a request that never ends and a step that hangs do not stop a drain', async () => {
    const neverSettles = new Promise<never>(() => {})
    const closed: string[] = []
    await using other = await startTestServer({
      services: {
        api: () => neverSettles,
        finishSteps: [{ name: 'sessions', limitMs: 50, run: () => neverSettles }],
        closeSteps: [{ name: 'store', limitMs: 50, run: () => void closed.push('store') }],
      },
    })
    const hanging = clientEntries.map(([, sendRequest]) =>
      sendRequest(other, '/api/never').catch(() => 'cut'),
    )
    await httpClients.h2(other, '/healthz')
    await other.drain()
    expect(await Promise.all(hanging)).toEqual(['cut', 'cut', 'cut'])
    expect(closed).toEqual(['store'])
  })

  test('a port in use is named, and the other port is free again', async () => {
    const port = new URL(server.http).port
    await expect(startTestServer({ environment: { PORT: port } })).rejects.toThrow(
      `PORT is "${port}", which another program uses on 127.0.0.1: allowed is a number from 0 to 65535`,
    )
    const httpsPort = new URL(server.https).port
    await expect(startTestServer({ environment: { HTTPS_PORT: httpsPort } })).rejects.toThrow(
      /^HTTPS_PORT is /,
    )
  })

  test('an address of another computer is named', async () => {
    await expect(startTestServer({ environment: { HOST: '192.0.2.1' } })).rejects.toThrow(
      'HOST is "192.0.2.1", which cannot be listened on (EADDRNOTAVAIL)',
    )
  })
})

const errorOf = (body: Buffer) =>
  (JSON.parse(String(body)) as { error: { code: string; message: string } }).error

const addressOf = (origin: string) => ({ host: '127.0.0.1', port: Number(new URL(origin).port) })

async function sendUpgrade(
  origin: string,
  path: string,
  headers: Record<string, string> = {},
): Promise<number> {
  const secure = origin.startsWith('https')
  const socket = secure
    ? tls.connect({ ...addressOf(origin), ALPNProtocols: ['http/1.1'], rejectUnauthorized: false })
    : net.connect(addressOf(origin))
  await once(socket, secure ? 'secureConnect' : 'connect')
  const request = http.request({
    path,
    createConnection: () => socket,
    headers: { connection: 'upgrade', upgrade: 'websocket', ...headers },
  })
  request.end()
  const { promise, resolve } = Promise.withResolvers<IncomingMessage>()
  request.once('response', resolve).once('upgrade', resolve)
  const { statusCode = 0 } = await promise
  socket.destroy()
  return statusCode
}

/** Sends the beginning of a body, then breaks the connection. */
async function breakOffRequest(client: string): Promise<void> {
  const head = 'POST /api/things HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1000\r\n\r\nabc'
  if (client === 'h2') {
    const session = http2.connect(server.https, { rejectUnauthorized: false })
    const stream = session.request({ ':method': 'POST', ':path': '/api/things' }).on('error', () => {})
    stream.write('abc')
    await once(session, 'remoteSettings')
    stream.close(http2.constants.NGHTTP2_CANCEL)
    session.destroy()
    return
  }
  const socket =
    client === 'http/1.1'
      ? net.connect(addressOf(server.http))
      : tls.connect({ ...addressOf(server.https), rejectUnauthorized: false })
  await new Promise<void>((written) => socket.write(head, () => written()))
  socket.on('error', () => {}).destroy()
}
