import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo, Server } from 'node:net'
import type { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import type { Net } from '../../lib/transports/net/net.ts'
import { createNet } from '../../lib/transports/net/node.ts'
import { type HttpFaults, Pieces, type PieceFate } from './http-faults.ts'
import { HttpProxy, type Speaks } from './http-proxy.ts'

/** Says what it heard; or streams what a test writes, where the path asks for it. */
let server: Server
let net: Net
let heard: string[]
let streams: Writable[]
let proxies: HttpProxy[]

beforeEach(async () => {
  heard = []
  streams = []
  proxies = []
  const http = createServer((request, response) => void answer(request, response))
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

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  response.on('error', () => {})
  if (request.url?.startsWith('/sync/stream')) {
    response.writeHead(200, { 'content-type': request.headers.accept ?? 'application/octet-stream' })
    response.flushHeaders()
    streams.push(response)
    return
  }
  if (request.headers['content-length'] === undefined) {
    request.on('data', (bytes: Buffer) => heard.push(bytes.toString()))
    await once(request, 'end')
  } else heard.push(await text(request))
  response.end(`${request.method} ${request.url} ${request.headers.host?.split(':')[0]} ${heard.join('|')}`)
}

async function listen(speaks: Speaks, faults: Partial<HttpFaults> = {}): Promise<HttpProxy> {
  const proxy = await HttpProxy.listen(speaks)
  proxies.push(proxy)
  proxy.targetPort = (server.address() as AddressInfo).port
  proxy.set(faults)
  return proxy
}

const post = ({ origin }: HttpProxy, body: string, path = '/sync/up'): Promise<Response> =>
  net.fetch(origin + path, { method: 'POST', body: new TextEncoder().encode(body) })

async function stream({ origin }: HttpProxy, type = 'application/octet-stream') {
  const response = await net.fetch(`${origin}/sync/stream`, { method: 'POST', headers: { accept: type } })
  const reader = response.body!.getReader()
  return async (): Promise<string> => {
    const { value } = await reader.read()
    return value ? Buffer.from(value).toString('latin1') : '(end)'
  }
}

const comesToHold = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 2))
}

describe.each(['http', 'https', 'h2'] as const)('%s', (speaks) => {
  test('requests, answers and streams pass as they come', async () => {
    const proxy = await listen(speaks)
    expect(await (await post(proxy, 'hello')).text()).toBe('POST /sync/up localhost hello')
    expect(net.protocolOf(proxy.origin)).toBe(speaks === 'h2' ? 'h2' : 'http/1.1')
    const next = await stream(proxy)
    streams[0]!.write('\u0004ab')
    expect(await next()).toBe('\u0004ab')
    streams[0]!.end()
    expect(await next()).toBe('(end)')
    expect(proxy.knocks).toEqual(['POST /sync/up', 'POST /sync/stream'])
  })

  test('a held answer comes when it has ended', async () => {
    const proxy = await listen(speaks, { holdAnswers: true })
    const open = stream(proxy)
    await comesToHold(() => streams.length > 0)
    streams[0]!.write('\u0004ab')
    const early = await Promise.race([
      open.then(() => 'came'),
      new Promise((resolve) => setTimeout(resolve, 50)),
    ])
    expect(early).toBe(undefined)
    streams[0]!.end('\u0002c')
    expect(await (await open)()).toBe('\u0004ab\u0002c')
  })

  test('a streamed body passes as it comes; a held one when it has ended', async () => {
    for (const holdBodies of [false, true]) {
      const proxy = await listen(speaks, { holdBodies })
      const body = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>()
      const writer = body.writable.getWriter()
      heard = []
      const answered = net.fetch(`${proxy.origin}/sync/up`, { method: 'POST', body: body.readable })
      await writer.write(new TextEncoder().encode('one'))
      if (holdBodies) await new Promise((resolve) => setTimeout(resolve, 50))
      else await comesToHold(() => heard.length > 0)
      expect(heard).toEqual(holdBodies ? [] : ['one'])
      await writer.write(new TextEncoder().encode('two'))
      await writer.close()
      await answered
      expect(heard.join('')).toBe('onetwo')
    }
  })

  test('an answer is cut when it takes too long', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const proxy = await listen(speaks, { cutAnswersAfterMs: 30_000 })
    const next = await stream(proxy)
    streams[0]!.write('\u0004ab')
    expect(await next()).toBe('\u0004ab')
    vi.advanceTimersByTime(30_000)
    vi.useRealTimers()
    await expect(next()).rejects.toThrow()
    await comesToHold(() => streams[0]!.destroyed)
  })

  test.each([
    ['answer lost', ['a'], false],
    ['repeated', ['a', 'a'], true],
    ['dropped', [], false],
    ['late', ['a'], false],
  ] as const)('a POST whose fate is "%s"', async (fate, applied, answered) => {
    const proxy = await listen(speaks, { fateOfPost: () => fate })
    const outcome = await post(proxy, 'a').then(
      () => true,
      () => false,
    )
    expect(outcome).toBe(answered)
    await comesToHold(() => heard.length === applied.length)
    expect([heard, proxy.met.get(fate)]).toEqual([applied, 1])
    proxy.heal()
    await post(proxy, 'b')
    expect(heard).toEqual([...applied, 'b'])
  })

  test('WebSocket passes; is refused; is stripped of its header', async () => {
    const proxy = await listen(speaks)
    const open = () => new WebSocket(proxy.origin.replace('http', 'ws'), { rejectUnauthorized: false })
    const socket = open()
    await once(socket, 'open')
    socket.send('echo')
    expect(String((await once(socket, 'message'))[0])).toBe('echo')
    socket.terminate()
    proxy.set({ upgrade: 'refused' })
    await expect(once(open(), 'open')).rejects.toThrow('403')
    proxy.set({ upgrade: 'stripped' })
    await expect(once(open(), 'open')).rejects.toThrow('200')
  })
})

test('a proxy that speaks HTTP/1.1 only', async () => {
  const proxy = await listen('https')
  await post(proxy, 'hello')
  expect(net.protocolOf(proxy.origin)).toBe('http/1.1')
})

test.each([
  ['text/event-stream', 'data:1\n\n', 'data:2\n\n', 'data:3\n\n'],
  ['application/octet-stream', '\u0004ab', '\u0002c', `\u0080\u0002${'x'.repeat(128)}`],
])('pieces of %s meet their fates however they were sliced', (type, ...pieces) => {
  const run = (fates: PieceFate[], slice: number): string => {
    const left = [...fates]
    const cutter = new Pieces(type, () => left.shift() ?? 'passes')
    const bytes = Buffer.from(pieces.join(''), 'latin1')
    const out: Buffer[] = []
    for (let at = 0; at < bytes.length; at += slice) out.push(cutter.push(bytes.subarray(at, at + slice)))
    return Buffer.concat([...out, cutter.end()]).toString('latin1')
  }
  const [one, two, three] = pieces
  for (const slice of [1, 3, 1000]) {
    expect(run([], slice)).toBe(one + two + three)
    expect(run(['repeated'], slice)).toBe(one + one + two + three)
    expect(run(['passes', 'dropped'], slice)).toBe(one + three)
    expect(run(['swapped'], slice)).toBe(two + one + three)
    expect(run(['passes', 'passes', 'swapped'], slice)).toBe(one + two + three)
  }
})
