/** [A6] An answer of which the client takes nothing is cut; one that is taken slowly is not. */
import { once } from 'node:events'
import http from 'node:http'
import http2 from 'node:http2'
import type { AddressInfo, Server } from 'node:net'
import { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { endUnread } from './http-answers.ts'
import type { GatewayResponse } from './gateways/gateway-request.ts'

const TIMEOUT_MS = 1_000

/** More than the buffers of a connection take. */
const CHUNKS = 500
const chunk = Buffer.alloc(64 * 1024)

async function startServer(
  create: (listener: (request: unknown, response: GatewayResponse) => void) => Server,
) {
  const { promise: closed, resolve } = Promise.withResolvers<string>()
  const server = create((_request, response) => {
    endUnread(response, TIMEOUT_MS)
    response.once('close', () => resolve(response.writableFinished ? 'whole' : 'cut'))
    Readable.from(Array.from({ length: CHUNKS }, () => chunk)).pipe(response as NodeJS.WritableStream)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, closed }
}

async function getOverHttp1(origin: string): Promise<Readable> {
  const request = http.get(origin, { agent: false })
  const [answer] = (await once(request, 'response')) as [http.IncomingMessage]
  return answer.on('error', () => {})
}

async function getOverHttp2(origin: string): Promise<Readable> {
  const session = http2.connect(origin)
  onTestFinished(() => session.destroy())
  const stream = session.request({ ':path': '/' })
  await once(stream, 'response')
  return stream.on('error', () => {})
}

test.each([
  ['HTTP/1.1', (listener: never) => http.createServer(listener), getOverHttp1],
  ['HTTP/2', (listener: never) => http2.createServer(listener), getOverHttp2],
] as const)('over %s', async (_name, create, get) => {
  const unread = await startServer(create as never)
  const answer = (await get(unread.origin)).pause()
  expect(await unread.closed).toBe('cut')
  answer.destroy()

  const slow = await startServer(create as never)
  let bytes = 0
  // The pauses are longer than the timeout in all, and each of them is shorter.
  for await (const piece of await get(slow.origin)) {
    if (Math.floor(bytes / 6_000_000) < Math.floor((bytes += (piece as Buffer).length) / 6_000_000))
      await wait(TIMEOUT_MS * 0.3)
  }
  expect([await slow.closed, bytes]).toEqual(['whole', CHUNKS * chunk.length])
})
