/** [A6] A malformed Host is the client's mistake on every route, and causes no stack trace. */
import { once } from 'node:events'
import http from 'node:http'
import type { IncomingMessage } from 'node:http'
import http2 from 'node:http2'
import https from 'node:https'
import { Writable } from 'node:stream'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { httpClients } from './fixtures/http-clients.ts'
import { startTestServer } from './fixtures/test-server.ts'

const logLines: string[] = []
const logSink = new Writable({
  write(chunk, _encoding, done) {
    logLines.push(String(chunk))
    done()
  },
})

let server: Awaited<ReturnType<typeof startTestServer>>

beforeAll(async () => {
  server = await startTestServer({ log: pino({ level: 'warn' }, logSink) })
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  // The log gets neither a line nor a stack trace.
  expect(logLines).toEqual([])
})

const hosts = [
  'a/b@c',
  'localhost:99999',
  '[::1',
  'a b',
  'user@localhost',
  'localhost:x',
  'évil.example',
  '%',
]

/** nghttp2 itself refuses streams with the others, as it should. */
const authorities = hosts.filter((host) => /^[\w:.[\]%]+$/.test(host))

const malformedHostAnswer = [400, 'host'] as const

const codeOf = (body: Buffer): string => (JSON.parse(String(body)) as { error: { code: string } }).error.code

describe.each(Object.entries(httpClients))('over %s', (client, sendRequest) => {
  const name = client === 'h2' ? ':authority' : 'host'

  test.each(client === 'h2' ? authorities : hosts)(
    '%j is answered 400 by pages, the API and the rest',
    async (host) => {
      for (const path of ['/', '/api/documents', '/new', '/healthz', '/sync/stream', '/yjs/x']) {
        const { status, body } = await sendRequest(server, path, { headers: { [name]: latin1(host) } })
        expect([status, codeOf(body)], path).toEqual(malformedHostAnswer)
      }
    },
  )
})

test.each(hosts)('an upgrade under the Host %j is answered 400', async (host) => {
  for (const [request, origin] of [
    [http.request, server.http],
    [https.request, server.https],
  ] as const) {
    const headers = { connection: 'upgrade', upgrade: 'websocket', host: latin1(host) }
    const sent = request(`${origin}/sync/ws`, { headers, agent: false, rejectUnauthorized: false }).end()
    const [answer] = (await once(sent, 'response')) as [IncomingMessage]
    answer.resume()
    expect(answer.statusCode).toBe(400)
  }
})

test.each(authorities)('a WebSocket within HTTP/2 under the authority %j is answered 400', async (host) => {
  const session = http2.connect(server.https, { rejectUnauthorized: false })
  await once(session, 'remoteSettings')
  const stream = session.request(
    {
      ':method': 'CONNECT',
      ':protocol': 'websocket',
      ':scheme': 'https',
      ':path': '/sync/ws',
      ':authority': latin1(host),
    },
    { endStream: false },
  )
  const [headers] = (await once(stream, 'response')) as [http2.IncomingHttpHeaders]
  session.destroy()
  expect(headers[':status']).toBe(400)
})

/** Encodes the text as on the wire: Node's client sends a header's letters as bytes. */
const latin1 = (text: string): string => Buffer.from(text).toString('latin1')
