import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo, Server } from 'node:net'
import type { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import type { NetworkPlatform } from '../../lib/transports/net/net.ts'
import { createNet } from '../../lib/transports/net/node.ts'
import { type HttpFaults, AnswerSplitter, type PieceOutcome } from './http-faults.ts'
import { HttpProxy, type ProxyProtocol } from './http-proxy.ts'

/** Answers with what it received, or streams what a test writes, depending on the path. */
let server: Server
let net: NetworkPlatform
let receivedBodies: string[]
let streams: Writable[]
let proxies: HttpProxy[]

beforeEach(async () => {
  receivedBodies = []
  streams = []
  proxies = []
  const http = createServer((request, response) => void answerRequest(request, response))
  const sockets = new WebSocketServer({ server: http })
  sockets.on('connection', (socket) => socket.on('message', (data) => socket.send(data)))
  server = http.listen(0, '127.0.0.1')
  await once(server, 'listening')
  net = createNet({ insecure: true })
})

afterEach(async () => {
  vi.useRealTimers()
  net.dispose()
  for (const proxy of proxies) await proxy[Symbol.asyncDispose]()
  server.close()
})

async function answerRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
  response.on('error', () => {})
  if (request.url?.startsWith('/sync/stream')) {
    response.writeHead(200, { 'content-type': request.headers.accept ?? 'application/octet-stream' })
    response.flushHeaders()
    streams.push(response)
    return
  }
  if (request.headers['content-length'] === undefined) {
    request.on('data', (bytes: Buffer) => receivedBodies.push(bytes.toString()))
    await once(request, 'end')
  } else receivedBodies.push(await text(request))
  response.end(
    `${request.method} ${request.url} ${request.headers.host?.split(':')[0]} ${receivedBodies.join('|')}`,
  )
}

async function startProxy(protocol: ProxyProtocol, faults: Partial<HttpFaults> = {}): Promise<HttpProxy> {
  const proxy = await HttpProxy.listen(protocol)
  proxies.push(proxy)
  proxy.targetPort = (server.address() as AddressInfo).port
  proxy.setFaults(faults)
  return proxy
}

const postBody = ({ origin }: HttpProxy, body: string, path = '/sync/up'): Promise<Response> =>
  net.fetch(origin + path, { method: 'POST', body: new TextEncoder().encode(body) })

async function openStream({ origin }: HttpProxy, type = 'application/octet-stream') {
  const response = await net.fetch(`${origin}/sync/stream`, { method: 'POST', headers: { accept: type } })
  const reader = response.body!.getReader()
  return async (): Promise<string> => {
    const { value } = await reader.read()
    return value ? Buffer.from(value).toString('latin1') : '(end)'
  }
}

const waitUntilTrue = async (condition: () => boolean): Promise<void> => {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 2))
}

describe.each(['http', 'https', 'h2'] as const)('%s', (protocol) => {
  test('requests, answers and streams pass at once', async () => {
    const proxy = await startProxy(protocol)
    expect(await (await postBody(proxy, 'hello')).text()).toBe('POST /sync/up localhost hello')
    expect(net.protocolOf(proxy.origin)).toBe(protocol === 'h2' ? 'h2' : 'http/1.1')
    const next = await openStream(proxy)
    streams[0]!.write('\u0004ab')
    expect(await next()).toBe('\u0004ab')
    streams[0]!.end()
    expect(await next()).toBe('(end)')
    expect(proxy.requestLog).toEqual(['POST /sync/up', 'POST /sync/stream'])
  })

  test('a buffered answer passes when it has ended', async () => {
    const proxy = await startProxy(protocol, { bufferAnswers: true })
    const open = openStream(proxy)
    await waitUntilTrue(() => streams.length > 0)
    streams[0]!.write('\u0004ab')
    const earlyResult = await Promise.race([
      open.then(() => 'came'),
      new Promise((resolve) => setTimeout(resolve, 50)),
    ])
    expect(earlyResult).toBe(undefined)
    streams[0]!.end('\u0002c')
    expect(await (await open)()).toBe('\u0004ab\u0002c')
  })

  test('a streamed body passes at once; a buffered one when it has ended', async () => {
    for (const bufferBodies of [false, true]) {
      const proxy = await startProxy(protocol, { bufferBodies })
      const body = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>()
      const writer = body.writable.getWriter()
      receivedBodies = []
      const answered = net.fetch(`${proxy.origin}/sync/up`, { method: 'POST', body: body.readable })
      await writer.write(new TextEncoder().encode('one'))
      if (bufferBodies) await new Promise((resolve) => setTimeout(resolve, 50))
      else await waitUntilTrue(() => receivedBodies.length > 0)
      expect(receivedBodies).toEqual(bufferBodies ? [] : ['one'])
      await writer.write(new TextEncoder().encode('two'))
      await writer.close()
      await answered
      expect(receivedBodies.join('')).toBe('onetwo')
    }
  })

  test('an answer is cut when it takes too long', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const proxy = await startProxy(protocol, { cutAnswersAfterMs: 30_000 })
    const next = await openStream(proxy)
    streams[0]!.write('\u0004ab')
    expect(await next()).toBe('\u0004ab')
    vi.advanceTimersByTime(30_000)
    vi.useRealTimers()
    await expect(next()).rejects.toThrow()
    await waitUntilTrue(() => streams[0]!.destroyed)
  })

  test.each([
    ['answer lost', ['a'], false],
    ['repeated', ['a', 'a'], true],
    ['dropped', [], false],
    ['late', ['a'], false],
  ] as const)('a POST whose outcome is "%s"', async (postOutcome, appliedBodies, answered) => {
    const proxy = await startProxy(protocol, { choosePostOutcome: () => postOutcome })
    const isAnswered = await postBody(proxy, 'a').then(
      () => true,
      () => false,
    )
    expect(isAnswered).toBe(answered)
    await waitUntilTrue(() => receivedBodies.length === appliedBodies.length)
    expect([receivedBodies, proxy.faultCounts.get(postOutcome)]).toEqual([appliedBodies, 1])
    proxy.heal()
    await postBody(proxy, 'b')
    expect(receivedBodies).toEqual([...appliedBodies, 'b'])
  })

  test('WebSocket passes; is refused; is stripped of its header', async () => {
    const proxy = await startProxy(protocol)
    const open = () => new WebSocket(proxy.origin.replace('http', 'ws'), { rejectUnauthorized: false })
    const socket = open()
    await once(socket, 'open')
    socket.send('echo')
    expect(String((await once(socket, 'message'))[0])).toBe('echo')
    socket.terminate()
    proxy.setFaults({ upgrade: 'refused' })
    await expect(once(open(), 'open')).rejects.toThrow('403')
    proxy.setFaults({ upgrade: 'stripped' })
    await expect(once(open(), 'open')).rejects.toThrow('200')
  })
})

test('a proxy may use HTTP/1.1 only', async () => {
  const proxy = await startProxy('https')
  await postBody(proxy, 'hello')
  expect(net.protocolOf(proxy.origin)).toBe('http/1.1')
})

test.each([
  ['text/event-stream', 'data:1\n\n', 'data:2\n\n', 'data:3\n\n'],
  ['application/octet-stream', '\u0004ab', '\u0002c', `\u0080\u0002${'x'.repeat(128)}`],
])('pieces of %s have their outcomes however they were sliced', (type, ...pieces) => {
  const splitWith = (outcomes: PieceOutcome[], slice: number): string => {
    const remainingOutcomes = [...outcomes]
    const splitter = new AnswerSplitter(type, () => remainingOutcomes.shift() ?? 'passes')
    const bytes = Buffer.from(pieces.join(''), 'latin1')
    const out: Buffer[] = []
    for (let at = 0; at < bytes.length; at += slice) out.push(splitter.push(bytes.subarray(at, at + slice)))
    return Buffer.concat([...out, splitter.end()]).toString('latin1')
  }
  const [one, two, three] = pieces
  for (const slice of [1, 3, 1000]) {
    expect(splitWith([], slice)).toBe(one + two + three)
    expect(splitWith(['repeated'], slice)).toBe(one + one + two + three)
    expect(splitWith(['passes', 'dropped'], slice)).toBe(one + three)
    expect(splitWith(['swapped'], slice)).toBe(two + one + three)
    expect(splitWith(['passes', 'passes', 'swapped'], slice)).toBe(one + two + three)
  }
})
