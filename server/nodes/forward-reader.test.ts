/** What the listener makes of a request that another node forwards, and of one that only says so. */
import http, { type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createClientAddressOf } from '../access/client-address.ts'
import type { AccessRequest } from '../access/access.ts'
import { accessRequestOf, refuseUpgrade } from '../gateways/http-refusals.ts'
import type { RequestHandler } from '../gateways/gateway.ts'
import { answerJson } from '../http-answers.ts'
import type { Environment } from '../config.ts'
import { httpClients } from '../fixtures/http-clients.ts'
import { startTestServer } from '../fixtures/test-server.ts'
import { createForwardReader } from './forward-reader.ts'
import { FORWARD_HEADER, ForwardProof, NODE_HEADER } from './forward-proof.ts'
import { forwardedOriginOf } from './forwarded-origin.ts'

const secret = Buffer.alloc(32, 3)
/** Plain HTTP under this name is for nobody but nodes. */
const host = 'diptych.example'
const line = { method: 'POST', url: '/sync/up', host }
const client = { secure: true, peer: '203.0.113.9', principal: null }

let now = 0
const proofAt = (name: string, key = secret) => new ForwardProof(key, name, () => now)
const seen: AccessRequest[] = []
const requestHandler: RequestHandler = {
  handleRequest(request, response, secure) {
    seen.push(accessRequestOf(request, secure))
    answerJson(response, 200, {})
    return true
  },
  handleUpgrade(request, socket) {
    const status = forwardedOriginOf(request) ? 426 : 401
    refuseUpgrade(socket, { status, code: 'seen', message: 'Seen.' })
    return true
  },
}

let server: Awaited<ReturnType<typeof startTestServer>>
const start = async (environment: Environment = {}) =>
  void (server = await startTestServer({
    environment,
    services: { requestHandlers: [requestHandler], readForwarded: createForwardReader(proofAt('a')) },
  }))
beforeEach(() => {
  now = 1_000_000
  seen.length = 0
})
afterEach(() => server[Symbol.asyncDispose]())

const post = (header: string | undefined, url = line.url) =>
  httpClients['http/1.1'](server, url, {
    method: 'POST',
    headers: { host, 'x-forwarded-for': '198.51.100.1', ...(header && { [FORWARD_HEADER]: header }) },
  })

test('a request that another node forwards has its client’s address and scheme, and the answer names this node', async () => {
  await start()
  const { status, headers } = await post(proofAt('b').write('a', line, client))
  expect([status, headers[NODE_HEADER]]).toEqual([200, 'a'])
  expect(seen).toMatchObject([{ secure: true, peer: '203.0.113.9', headers: { host } }])
  expect(createClientAddressOf([])(seen[0]!)).toBe('203.0.113.9')
  expect(createClientAddressOf(['203.0.113.0/24'])(seen[0]!)).toBe('198.51.100.1')
})

describe('a stranger’s request is a stranger’s, whatever it says of itself', () => {
  const proven = () => proofAt('b').write('a', line, client)

  test.each([
    ['without a header', () => post(undefined)],
    ['by another secret', () => post(proofAt('b', Buffer.alloc(32, 4)).write('a', line, client))],
    ['replayed for another path', () => post(proven(), '/sync/poll/next')],
    ['replayed at another node', () => post(proofAt('b').write('c', line, client))],
    [
      'replayed when it is stale',
      () => {
        const header = proven()
        now += 30_001
        return post(header)
      },
    ],
  ])('%s', async (_, send) => {
    await start()
    const { status, headers } = await send()
    expect([status, headers[NODE_HEADER]]).toEqual([308, undefined])
    expect(seen).toEqual([])
  })

  test('from this computer, it keeps its own address', async () => {
    await start()
    const header = proofAt('b', Buffer.alloc(32, 4)).write('a', { ...line, host: 'localhost' }, client)
    const headers = { host: 'localhost', [FORWARD_HEADER]: header }
    await httpClients['http/1.1'](server, line.url, { method: 'POST', headers })
    expect(seen).toMatchObject([{ secure: false, peer: expect.stringContaining('127.0.0.1') as string }])
  })

  test('outside of the paths that are forwarded, no proof counts', async () => {
    await start()
    const url = '/api/documents'
    const header = proofAt('b').write('a', { ...line, url }, client)
    expect((await post(header, url)).status).toBe(308)
  })
})

test('an upgrade that another node forwards is let in by plain HTTP, anybody else’s is not', async () => {
  await start()
  const upgrade = async (header: string): Promise<number | undefined> => {
    const headers = { host, connection: 'upgrade', upgrade: 'websocket', [FORWARD_HEADER]: header }
    const sent = http.request(server.http + '/sync/node-link', { headers, agent: false })
    sent.end()
    const [answer] = (await once(sent, 'response')) as [IncomingMessage]
    answer.resume()
    return answer.statusCode
  }
  const upgradeLine = { method: 'GET', url: '/sync/node-link', host }
  expect(await upgrade(proofAt('b').write('a', upgradeLine, client))).toBe(426)
  expect(await upgrade('1.e30.x')).toBe(403)
})

test('[A6] the connections of nodes take no place of their address’s clients', async () => {
  await start({ LIMIT_OPEN_CONNECTIONS: '1' })
  const agent = new http.Agent({ keepAlive: true })
  const send = async (header?: string): Promise<number | undefined> => {
    const headers = { host, ...(header && { [FORWARD_HEADER]: header }) }
    const sent = http.request(server.http + line.url, { method: 'POST', headers, agent })
    sent.end()
    const [answer] = (await once(sent, 'response')) as [IncomingMessage]
    answer.resume()
    return answer.statusCode
  }
  for (let turn = 0; turn < 3; turn++) expect(await send(proofAt('b').write('a', line, client))).toBe(200)
  expect((await post(undefined)).status).toBe(308)
  const held = new http.Agent({ keepAlive: true })
  const first = http.request(server.http + line.url, { method: 'POST', headers: { host }, agent: held }).end()
  const [answer] = (await once(first, 'response')) as [IncomingMessage]
  answer.resume()
  await expect(post(undefined)).rejects.toThrow()
  agent.destroy()
  held.destroy()
})
