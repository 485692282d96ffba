import { once } from 'node:events'
import http, { type IncomingMessage } from 'node:http'
import { createServer, type Server, type Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { paths } from '../../lib/protocol/http.ts'
import { encodeLinkHead, type LinkKey, readLinkKeyFields } from '../../lib/protocol/link-key.ts'
import { encodeRecords } from '../../lib/protocol/records.ts'
import { createEncoder, toBytes, writeNumber } from '../../lib/protocol/wire.ts'
import { httpClients, type TestAnswer } from '../fixtures/http-clients.ts'
import { waitUntil } from '../../lib/fixtures/wait.ts'
import { FORWARD_HEADER, ForwardProof, NODE_HEADER } from './forward-proof.ts'
import { GatewayNodes, nodesSecret } from './fixtures/gateway-nodes.ts'

const token = { authorization: 'Bearer a' }
const request = httpClients['http/1.1']

let nodes: GatewayNodes
let others: (Server | http.Server)[] = []
beforeEach(async () => {
  nodes = await GatewayNodes.start()
})
afterEach(async () => {
  await nodes.close()
  for (const server of others.splice(0)) await new Promise((resolve) => server.close(resolve))
})

const post = (node: string, path: string, body?: Uint8Array, headers = {}): Promise<TestAnswer> =>
  request(nodes.server(node), path, {
    method: 'POST',
    headers: { ...token, ...headers },
    ...(body && { body }),
  })

async function openPolledLink(node: string): Promise<LinkKey> {
  const { status, body } = await post(node, '/sync/long-poll')
  expect(status).toBe(201)
  return readLinkKeyFields(JSON.parse(body.toString()) as Record<string, unknown>)!
}

const frameFor = (key: LinkKey, frame = Uint8Array.of(0, 1, 2)): Uint8Array =>
  encodeRecords([frame], { before: encodeLinkHead(key) })

function pollFor(key: LinkKey, holdMs = 0): Uint8Array {
  const encoder = createEncoder()
  writeNumber(encoder, 0)
  writeNumber(encoder, holdMs)
  return Buffer.concat([encodeLinkHead(key), toBytes(encoder)])
}

const errorOf = ({ status, body }: TestAnswer): unknown => ({
  status,
  code: (JSON.parse(body.toString()) as { error: { code: string } }).error.code,
})
const lost = { status: 404, code: 'lost' }

/** Starts something that is no node at the address of a node named "x". */
async function standIn<Listening extends Server | http.Server>(server: Listening): Promise<Listening> {
  others.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  nodes.register.set('x', `http://127.0.0.1:${(server.address() as { port: number }).port}`)
  return server
}
const strangeKey: LinkKey = { id: 'x.AAAA', secret: new Uint8Array(16) }

describe('a request that reaches another node than its link’s', () => {
  test('[S10] brings its frames there, and its answer back', async () => {
    const key = await openPolledLink('a')
    const { received, link } = await nodes.server('a').acceptor.next()
    expect((await post('b', paths.up, frameFor(key))).status).toBe(204)
    expect(received.frames).toEqual([Uint8Array.of(0, 1, 2)])
    const waiting = post('b', paths.next, pollFor(key, 10_000))
    await waitUntil(() => nodes.server('a').waitingPolls > 0)
    void link.send(Uint8Array.of(9))
    const answer = await waiting
    expect(answer.status).toBe(200)
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store, no-transform' })
    expect(answer.headers).not.toHaveProperty(NODE_HEADER)
    expect(Buffer.from(answer.body).includes(9)).toBe(true)
  })

  test('[A2] is checked there: another credential, another secret', async () => {
    const key = await openPolledLink('a')
    const other = await post('b', paths.up, frameFor(key), { authorization: 'Bearer b' })
    expect(errorOf(other)).toEqual({ status: 403, code: 'lost' })
    const guessed = await post('b', paths.up, frameFor({ ...key, secret: new Uint8Array(16) }))
    expect(errorOf(guessed)).toEqual({ status: 403, code: 'forbidden' })
  })

  test('[A1] is refused for a foreign origin before it is forwarded', async () => {
    const key = await openPolledLink('a')
    const foreign = await post('b', paths.up, frameFor(key), { origin: 'https://evil.example' })
    expect(errorOf(foreign)).toEqual({ status: 403, code: 'origin' })
    expect(nodes.server('a').openUploads).toBe(0)
  })

  test('[S10] is lost where its node is unknown, gone, or refuses connections', async () => {
    expect(errorOf(await post('b', paths.up, frameFor(strangeKey)))).toEqual(lost)
    const key = await openPolledLink('a')
    const server = await standIn(createServer())
    await new Promise((resolve) => server.close(resolve))
    others = []
    expect(errorOf(await post('b', paths.up, frameFor(strangeKey)))).toEqual(lost)
    nodes.register.remove('a')
    expect(errorOf(await post('b', paths.up, frameFor(key)))).toEqual(lost)
  })

  test('[S10] is lost at once when its node is gone while it waits', async () => {
    const key = await openPolledLink('a')
    const waiting = post('b', paths.next, pollFor(key, 20_000))
    await waitUntil(() => nodes.server('a').waitingPolls > 0)
    nodes.register.remove('a')
    expect(errorOf(await waiting)).toEqual(lost)
    await waitUntil(() => nodes.server('a').waitingPolls === 0)
  })

  test('[S8] is to be made again elsewhere, if it is a poll that waits when this node ends', async () => {
    const key = await openPolledLink('a')
    const waiting = post('b', paths.next, pollFor(key, 20_000))
    await waitUntil(() => nodes.server('a').waitingPolls > 0)
    nodes.forwarding('b').close()
    expect((await waiting).status).toBe(204)
    await waitUntil(() => nodes.server('a').waitingPolls === 0)
  })

  test('ends there when its client goes away', async () => {
    const key = await openPolledLink('a')
    const { port } = new URL(nodes.server('b').http)
    const leaving = http.request({ port, path: paths.next, method: 'POST', headers: token, agent: false })
    leaving.on('error', () => {})
    leaving.end(pollFor(key, 20_000))
    await waitUntil(() => nodes.server('a').waitingPolls > 0)
    leaving.destroy()
    await waitUntil(() => nodes.server('a').waitingPolls === 0)
  })

  test('reaches what answers at that address only if that is the node', async () => {
    await standIn(http.createServer((_, response) => response.end('a stranger’s page')))
    expect(errorOf(await post('b', paths.up, frameFor(strangeKey)))).toEqual(lost)
    await standIn(
      http.createServer((_, response) => response.setHeader(NODE_HEADER, 'a').end('another node’s')),
    )
    expect(errorOf(await post('b', paths.up, frameFor(strangeKey)))).toEqual(lost)
  })

  test('brings no header of its connection, and none that no gateway reads', async () => {
    const seen: IncomingMessage[] = []
    await standIn(
      http.createServer((received, response) => {
        seen.push(received)
        received.resume()
        response.setHeader(NODE_HEADER, 'x').end('{}')
      }),
    )
    const body = frameFor(strangeKey)
    const { status } = await post('b', paths.up, body, {
      'content-length': String(body.length),
      origin: nodes.server('b').http,
      'x-forwarded-for': '203.0.113.9',
      connection: 'close, x-secret',
      'x-secret': '1',
      te: 'trailers',
      expect: '100-continue',
      [FORWARD_HEADER]: 'mine',
    })
    expect(status).toBe(200)
    const { host, ...headers } = seen[0]!.headers
    expect(host).toBe(new URL(nodes.server('b').http).host)
    expect(Object.keys(headers).toSorted()).toEqual([
      'authorization',
      'connection',
      'content-length',
      FORWARD_HEADER,
      'origin',
      'x-forwarded-for',
    ])
    expect(headers.connection).toBe('keep-alive')
    expect(headers[FORWARD_HEADER]).toMatch(/^1\./)
  })

  test('is never forwarded a second time', async () => {
    // Each of the two nodes takes the other for the link's node.
    const proof = new ForwardProof(nodesSecret, 'a')
    const line = { method: 'POST', url: paths.up, host: new URL(nodes.server('b').http).host }
    const proven = proof.write('b', line, { secure: false, peer: '203.0.113.9', principal: null })
    const key = await openPolledLink('a')
    expect(errorOf(await post('b', paths.up, frameFor(key), { [FORWARD_HEADER]: proven }))).toEqual(lost)
    expect((await post('b', paths.up, frameFor(key))).status).toBe(204)
  })

  test('[A6] waits for the client’s own, of which only so many are under way', async () => {
    await nodes.close()
    nodes = await GatewayNodes.start({ limitOpenConnections: 1 })
    const key = await openPolledLink('a')
    const waiting = post('b', paths.next, pollFor(key, 20_000))
    await waitUntil(() => nodes.server('a').waitingPolls > 0)
    const refused = await post('b', paths.up, frameFor(key))
    expect(errorOf(refused)).toEqual({ status: 503, code: 'overloaded' })
    expect(refused.headers['retry-after']).toBe('1')
    expect((await post('a', paths.up, frameFor(key))).status).toBe(204)
    const { link } = await nodes.server('a').acceptor.next()
    void link.send(Uint8Array.of(1))
    await waiting
    expect((await post('b', paths.up, frameFor(key))).status).toBe(204)
  })
})

describe('a body that is forwarded', () => {
  test('waits for a node that does not read, and holds little of it', async () => {
    const sockets: Socket[] = []
    const server = await standIn(createServer((socket) => void sockets.push(socket.pause())))
    const { port } = new URL(nodes.server('b').http)
    const upload = http.request({ port, path: paths.up, method: 'POST', headers: token, agent: false })
    upload.on('error', () => {})
    upload.write(frameFor(strangeKey))
    let sent = 0
    const chunk = Buffer.alloc(64 * 1024)
    while (sent < 64 * 1024 * 1024) {
      sent += chunk.length
      if (upload.write(chunk)) continue
      const drained = await Promise.race([
        once(upload, 'drain').then(() => true),
        new Promise((resolve) => setTimeout(resolve, 300, false)),
      ])
      if (!drained) break
    }
    expect(sent).toBeLessThan(64 * 1024 * 1024)
    for (const socket of sockets) socket.destroy()
    const [answer] = (await once(upload, 'response')) as [IncomingMessage]
    expect(answer.statusCode).toBe(404)
    await buffer(answer).catch(() => {})
    upload.destroy()
    server.close()
  })
})
