import { once } from 'node:events'
import http from 'node:http'
import http2 from 'node:http2'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createRequestRouter } from './request-router.ts'
import type { FetchApp } from './fetch-adapter.ts'
import { httpClients } from './fixtures/http-clients.ts'
import { echoRouting, testConfig } from './fixtures/test-server.ts'
import { temporaryFolder } from './fixtures/temporary-folder.ts'
import { silentLogger } from './fixtures/silent-logger.ts'
import type { GuestIssuer } from './access/access.ts'
import { certificateFor } from './certificate.ts'
import type { Listener } from './listener.ts'
import { startListener } from './listener.ts'
import { serveNoAssets } from './assets.ts'
import type { PageSource } from './next-pages.ts'
import { createPages } from './pages.ts'
import { createPageHeaders } from './security-headers.ts'

const clientEntries = Object.entries(httpClients)
const html = '<!doctype html><title>A page</title>' + 'words and words '.repeat(500)
const navigation = { accept: 'text/html,application/xhtml+xml' }

const headers = createPageHeaders({ hsts: false, dev: false })

const issueGuest: GuestIssuer = async ({ headers: { cookie }, secure }) =>
  cookie?.includes('session=')
    ? null
    : { setCookies: ['session=new; HttpOnly', 'other=1'], cookie: `session=new${secure ? '; tls' : ''}` }

/** Stands in for Next: records its requests, and serves pages of several kinds. */
const readerGone = Promise.withResolvers<void>()
const source: PageSource = {
  async handle(request, response) {
    const path = request.url?.split('?')[0]
    if (path === '/throws') throw new Error('a page that throws')
    if (path === '/endless') {
      response.writeHead(200, { 'content-type': 'text/html' })
      response.once('close', readerGone.resolve)
      return void response.write('the beginning')
    }
    if (path === '/long')
      return void response
        .writeHead(200, {
          'content-type': 'text/html; charset=utf-8',
          'cache-control': 's-maxage=31536000',
          etag: '"1"',
          'x-powered-by': 'x',
          connection: 'keep-alive',
          vary: 'rsc',
        }) // prettier-ignore
        .end(html)
    const { method, url, headers, httpVersion } = request
    response.writeHead(path === '/missing' ? 404 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ method, url, headers, httpVersion }))
  },
  upgrade: (_request, socket) =>
    !!socket.end('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n'),
  close: async () => {},
}

/** How long whoever asks for a page has to wait. */
let pageWaitMs = 0

const noSpace = { error: { code: 'no-space', message: 'Your space is <full>.' } }

const api: FetchApp = async (request, accessRequest) =>
  accessRequest.headers.cookie === 'session=full'
    ? Response.json(noSpace, { status: 507 })
    : new URL(request.url).pathname === '/api/documents' &&
        request.method === 'POST' &&
        accessRequest.headers.cookie
      ? Response.json({ id: `doc-of-${accessRequest.headers.cookie.replace(/\W/g, '')}` }, { status: 201 })
      : new Response('no', { status: 500 })

const nonceOf = (policy: string): string | null => /'nonce-([^']+)'/.exec(policy)?.[1] ?? null

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let listener: Listener
let server: { http: string; https: string }

async function startListenerWith(dev: boolean): Promise<Listener> {
  const config = testConfig(folder.path)
  const startedListener = await startListener(config, await certificateFor(config), silentLogger)
  const takePage = async () => pageWaitMs
  const pages = createPages({ source, issueGuest, takePage, log: silentLogger, dev, headers })
  const https = { httpsPort: startedListener.httpsPort, publicUrl: null }
  startedListener.setRouter(
    createRequestRouter({
      ...echoRouting,
      api,
      issueGuest,
      assets: serveNoAssets,
      pages,
      https,
    }),
  )
  return startedListener
}

beforeAll(async () => {
  folder = await temporaryFolder()
  listener = await startListenerWith(false)
  server = { http: `http://localhost:${listener.port}`, https: `https://localhost:${listener.httpsPort}` }
})
afterAll(async () => {
  await listener.close(0)
  await folder[Symbol.asyncDispose]()
})

describe.each(clientEntries)('pages over %s', (client, sendRequest) => {
  const secure = client !== 'http/1.1'
  const seen = async (path: string, headers: Record<string, string>) => {
    const { body } = await sendRequest(server, path, { headers })
    return JSON.parse(String(body)) as { url: string; httpVersion: string; headers: Record<string, string> }
  }

  test('the source sees HTTP/1.1, with the requested address, and nothing of the connection', async () => {
    const { url, httpVersion, headers } = await seen('/d/1?a=b', {
      'x-forwarded-for': '6.6.6.6',
      'x-own': 'kept',
    })
    expect([url, httpVersion]).toEqual(['/d/1?a=b', '1.1'])
    expect(headers).toMatchObject({
      host: new URL(secure ? server.https : server.http).host,
      'x-forwarded-proto': secure ? 'https' : 'http',
      'x-forwarded-for': '127.0.0.1',
      'x-own': 'kept',
    })
    expect(Object.keys(headers).filter((name) => name.startsWith(':'))).toEqual([])
  })

  test('opening a page without a session creates a guest, for the page and for the browser', async () => {
    const answer = await sendRequest(server, '/d/1', { headers: navigation })
    expect(answer.headers['set-cookie']).toEqual(['session=new; HttpOnly', 'other=1'])
    expect(answer.headers['cache-control']).toBe('private, no-cache')
    const { headers } = JSON.parse(String(answer.body)) as { headers: Record<string, string> }
    expect(headers.cookie).toBe(secure ? 'session=new; tls' : 'session=new')
  })

  test('opening a page behind its service worker creates a guest as well', async () => {
    const byWorker = { 'sec-fetch-dest': 'empty', 'sec-fetch-site': 'same-origin' }
    const { headers } = await sendRequest(server, '/d/1', { headers: { ...navigation, ...byWorker } })
    expect(headers['set-cookie']).toEqual(['session=new; HttpOnly', 'other=1'])
  })

  test.each([
    ['a person with a session', { ...navigation, cookie: 'session=old' }],
    ['a fetch of Next', { accept: '*/*', rsc: '1' }],
    ['an image of another site', { ...navigation, 'sec-fetch-dest': 'image' }],
    ['a fetch of another site', { ...navigation, 'sec-fetch-dest': 'empty', 'sec-fetch-site': 'cross-site' }],
  ])('%s creates no guest', async (_who, headers) => {
    expect((await sendRequest(server, '/d/1', { headers })).headers['set-cookie']).toBeUndefined()
  })

  test('an answer has status and security headers, and no trace of the inner connection', async () => {
    const { status, headers: answerHeaders } = await sendRequest(server, '/missing')
    expect(status).toBe(404)
    const nonce = nonceOf(String(answerHeaders['content-security-policy']))
    expect(answerHeaders).toMatchObject(headers('/', nonce))
    expect(answerHeaders['strict-transport-security']).toBeUndefined()
    if (client === 'h2')
      expect([answerHeaders.connection, answerHeaders['transfer-encoding']]).toEqual([undefined, undefined])
  })

  /** Next reads the nonce from either policy. */
  const forgedHeaders = {
    'x-nonce': 'forged',
    'content-security-policy': "script-src 'nonce-forged'",
    'content-security-policy-report-only': "script-src 'nonce-forged'",
  }

  test('[A8] the source gets the nonce of the answer, which no client chooses and no other page has', async () => {
    const answers = [
      await sendRequest(server, '/d/1', { headers: forgedHeaders }),
      await sendRequest(server, '/d/1'),
    ]
    const nonces = answers.map(({ headers: answerHeaders, body }) => {
      const { headers: seen } = JSON.parse(String(body)) as { headers: Record<string, string> }
      expect(seen['content-security-policy']).toBe(answerHeaders['content-security-policy'])
      expect(seen['x-nonce']).toBe(nonceOf(seen['content-security-policy']!))
      expect(JSON.stringify(seen)).not.toContain('forged')
      return seen['x-nonce']
    })
    expect(nonces[0]).not.toBe(nonces[1])
  })

  test('[A8] a fragment that Next fetches has no nonce, and a policy under which nothing runs', async () => {
    const { headers: answerHeaders, body } = await sendRequest(server, '/d/1', {
      headers: { rsc: '1', ...forgedHeaders },
    })
    expect(answerHeaders['content-security-policy']).toBe("default-src 'none'; frame-ancestors 'none'")
    const { headers: seen } = JSON.parse(String(body)) as { headers: Record<string, string> }
    expect(JSON.stringify(seen)).not.toMatch(/nonce|content-security-policy/)
  })

  test.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ])('a page is sent as %s if that is accepted', async (encoding, decompress) => {
    const { headers, body } = await sendRequest(server, '/long', { headers: { 'accept-encoding': encoding } })
    expect(headers).toMatchObject({
      'content-encoding': encoding,
      vary: 'rsc, Accept-Encoding',
      etag: 'W/"1"',
    })
    expect(headers['cache-control']).toBe('private, no-cache')
    expect(String(decompress(body))).toBe(html)
    expect(body.length).toBeLessThan(html.length / 4)
  })

  test('a page is sent uncompressed if no encoding is accepted', async () => {
    const { headers, body } = await sendRequest(server, '/long', {
      headers: { 'accept-encoding': 'br;q=0, zstd' },
    })
    expect([headers['content-encoding'], String(body)]).toEqual([undefined, html])
  })

  test.each(['/d/%ff', '/d/1/p/%c0%af', '/d/%2', '/%', '/lab/%zz', '/d/%00?a=b'])(
    '[A6] the malformed address %s is answered as any address without a page',
    async (path) => {
      expect((await seen(path, {})).url).toBe('/there-is-no-such-page')
    },
  )

  test('HEAD has no body', async () => {
    const { status, body } = await sendRequest(server, '/long', {
      method: 'HEAD',
      headers: { 'accept-encoding': 'br' },
    })
    expect([status, body.length]).toEqual([200, 0])
  })

  test('POST is refused', async () => {
    const { status, headers } = await sendRequest(server, '/long', { method: 'POST', body: 'x' })
    expect([status, headers.allow]).toEqual([405, 'GET, HEAD'])
  })

  test('a page that throws is answered 500', async () => {
    const { status, body } = await sendRequest(server, '/throws')
    expect([status, JSON.parse(String(body)).error.code]).toEqual([500, 'pages'])
  })

  test('[A6] is refused by a page with a reason where too many are asked for, and Next does nothing', async () => {
    pageWaitMs = 1_200
    const { status, headers, body } = await sendRequest(server, '/throws', { headers: navigation })
    pageWaitMs = 0
    expect([status, headers['retry-after'], headers['set-cookie']]).toEqual([429, '2', undefined])
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(String(body)).toContain('Try again in 2 s.')
  })

  describe('/new', () => {
    test('without space shows a page that explains it', async () => {
      const { status, headers, body } = await sendRequest(server, '/new', {
        headers: { ...navigation, cookie: 'session=full' },
      })
      expect([status, headers['content-type']]).toEqual([507, 'text/html; charset=utf-8'])
      const nonce = nonceOf(String(headers['content-security-policy']))
      expect(String(body)).toContain(`<style nonce="${nonce}">`)
      expect(String(body)).toContain('<p>Your space is &lt;full>.</p>')
    })

    test('creates a document in the name of the guest, and redirects to it', async () => {
      const { status, headers } = await sendRequest(server, '/new', { headers: navigation })
      expect([status, headers.location]).toEqual([
        303,
        secure ? '/d/doc-of-sessionnewtls' : '/d/doc-of-sessionnew',
      ])
      expect(headers['set-cookie']).toEqual(['session=new; HttpOnly', 'other=1'])
    })

    test('with a session creates no guest', async () => {
      const { headers } = await sendRequest(server, '/new', {
        headers: { ...navigation, cookie: 'session=a' },
      })
      expect([headers.location, headers['set-cookie']]).toEqual(['/d/doc-of-sessiona', undefined])
    })

    test('behind the service worker of Firefox creates a document', async () => {
      const byWorker = {
        'sec-fetch-dest': 'empty',
        'sec-fetch-mode': 'same-origin',
        'sec-fetch-site': 'same-origin',
      }
      expect((await sendRequest(server, '/new', { headers: { ...navigation, ...byWorker } })).status).toBe(
        303,
      )
    })

    test.each(['cross-site', 'same-site'])(
      'from a page that is %s redirects to the documents',
      async (site) => {
        const { status, headers } = await sendRequest(server, '/new', {
          headers: { ...navigation, 'sec-fetch-site': site },
        })
        expect([status, headers.location, headers['set-cookie']]).toEqual([303, '/', undefined])
      },
    )

    test.each([{ 'sec-purpose': 'prefetch' }, { rsc: '1' }, { 'sec-fetch-mode': 'cors' }])(
      '%j creates nothing',
      async (headers) => {
        expect((await sendRequest(server, '/new', { headers })).status).toBe(400)
      },
    )
  })
})

test('a page streams, and is aborted when its client goes away', async () => {
  const session = http2.connect(server.https, { rejectUnauthorized: false })
  const stream = session.request({ ':path': '/endless', 'accept-encoding': 'br' })
  await once(stream, 'data')
  stream.close(http2.constants.NGHTTP2_CANCEL)
  await readerGone.promise
  session.destroy()
})

test.each([
  [true, 101],
  [false, 404],
])('with dev %j the socket of Next is answered %d', async (dev, expected) => {
  const startedListener = await startListenerWith(dev)
  const headers = { connection: 'upgrade', upgrade: 'websocket' }
  const request = http.request({
    port: startedListener.port,
    host: '127.0.0.1',
    path: '/_next/hmr',
    headers,
    agent: false,
  })
  request.end()
  const { promise, resolve } = Promise.withResolvers<http.IncomingMessage>()
  request.once('response', resolve).once('upgrade', resolve)
  const answer = await promise
  answer.socket.destroy()
  await startedListener.close(0)
  expect(answer.statusCode).toBe(expected)
})

test('while the server starts, a person is told so on a page that opens by itself, and a program in JSON', async () => {
  const config = testConfig(folder.path)
  const startingListener = await startListener(config, await certificateFor(config), silentLogger)
  const ask = (accept: string) =>
    fetch(`http://localhost:${startingListener.port}/d/1`, { headers: { accept } })
  const [page, answer] = await Promise.all([ask('text/html'), ask('application/json')])
  expect([page.status, page.headers.get('refresh'), page.headers.get('retry-after')]).toEqual([503, '1', '1'])
  expect(await page.text()).toContain('Diptych is starting')
  expect([answer.status, await answer.json()]).toEqual([
    503,
    { error: { code: 'starting', message: 'The server is starting.' } },
  ])
  await startingListener.close(0)
})
