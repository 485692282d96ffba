import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import type { IncomingMessage } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { type ServerOptions, type WebSocket, WebSocketServer } from 'ws'
import { waitUntil } from '../../lib/fixtures/wait.ts'
import { LightSocket } from './light-socket.ts'

/** Records what a socket reports from its creation on: messages as numbers of bytes or as texts. */
function watch(light: LightSocket) {
  const received: (number[] | string)[] = []
  const errors: string[] = []
  const ends: { code: number; reason: string }[] = []
  light.onmessage = ({ data }: { data: ArrayBuffer | string }) =>
    void received.push(typeof data === 'string' ? data : [...new Uint8Array(data)])
  light.onerror = ({ message }: { message: string }) => void errors.push(message)
  light.onclose = (end: { code: number; reason: string }) => void ends.push(end)
  const opened = new Promise<void>((resolve) => (light.onopen = () => resolve()))
  return { light, received, errors, ends, opened }
}

async function connected(options: ServerOptions = {}) {
  const sockets = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false, ...options })
  onTestFinished(() => sockets.close())
  await once(sockets, 'listening')
  const { port } = sockets.address() as AddressInfo
  const watched = watch(new LightSocket(`ws://localhost:${port}/here?and=there`, { 'x-a': 'b' }, ['diptych']))
  if (options.verifyClient) return { ...watched, server: null!, request: null! }
  const [server, request] = (await once(sockets, 'connection')) as [WebSocket, IncomingMessage]
  await watched.opened
  return { ...watched, server, request }
}

/** Connects to a bare TCP server, through whose `wire` the test writes. */
async function connectedToBareServer() {
  const server = createServer()
  onTestFinished(() => void server.close())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const watched = watch(new LightSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}/`))
  const [wire] = (await once(server, 'connection')) as [Socket]
  wire.setNoDelay()
  onTestFinished(() => void wire.destroy())
  const [asked] = (await once(wire, 'data')) as [Buffer]
  const key = /^sec-websocket-key: *(.*)$/im.exec(asked.toString())![1]!.trim()
  const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64')
  const answer = async (): Promise<void> => {
    wire.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    )
    await watched.opened
  }
  return { ...watched, wire, answer }
}

test('messages of all lengths arrive whole and in order, both ways', async () => {
  const { light, server, received } = await connected()
  const lengths = [0, 1, 125, 126, 65_535, 65_536, 300_000]
  for (const length of lengths) server.send(new Uint8Array(length))
  server.send('and a text')
  await waitUntil(() => received.length === lengths.length + 1)
  expect(received.map(({ length }) => length)).toEqual([...lengths, 'and a text'.length])
  expect(received.at(-1)).toBe('and a text')

  const there: number[] = []
  server.on('message', (data: Buffer) => there.push(data.length))
  for (const length of lengths) light.send(new Uint8Array(length))
  await waitUntil(() => there.length === lengths.length)
  expect(there).toEqual(lengths)
  expect(light.protocol).toBe('diptych')
})

test('a message in several frames is one message, with a ping between them answered', async () => {
  const { server, received } = await connected()
  const answered = once(server, 'pong')
  server.send(new Uint8Array(10), { fin: false })
  server.ping('still there?')
  server.send(new Uint8Array(5), { fin: true })
  expect(String((await answered)[0])).toBe('still there?')
  server.send('two ', { fin: false })
  server.send('words', { fin: true })
  await waitUntil(() => received.length === 2)
  expect(received).toEqual([Array(15).fill(0), 'two words'])
})

test('the end is reported once, with the server’s code', async () => {
  const { light, server, ends, errors } = await connected()
  server.close(4010, 'going away')
  await once(server, 'close')
  await waitUntil(() => ends.length > 0)
  light.terminate()
  light.close()
  await new Promise((resolve) => setImmediate(resolve))
  expect([ends, errors]).toEqual([[{ code: 4010, reason: 'going away' }], []])
})

test('a refusal is reported with its status', async () => {
  const { ends, errors } = await connected({ verifyClient: () => false })
  await waitUntil(() => ends.length > 0)
  expect([ends, errors]).toEqual([[{ code: 1006, reason: '' }], ['Unexpected server response: 401']])
})

test('the request has the whole address, and the given headers', async () => {
  const { request } = await connected()
  expect([request.url, request.headers['x-a']]).toEqual(['/here?and=there', 'b'])
})

test('frames that come byte by byte are put together, and each piece keeps its bytes while others come', async () => {
  const { wire, answer, received } = await connectedToBareServer()
  await answer()
  const [first, second] = [Buffer.alloc(130, 1), Buffer.alloc(3, 2)]
  // The first frame has a length of 16 bits, and is not the last of its message.
  const frames = [Buffer.of(0x02, 126, 0, 130), first, Buffer.of(0x80, 3), second]
  for (const byte of Buffer.concat(frames)) {
    wire.write(Buffer.of(byte))
    await new Promise((resolve) => setImmediate(resolve))
  }
  await waitUntil(() => received.length === 1)
  expect(received[0]).toEqual([...first, ...second])
})

test('nothing is received behind a close', async () => {
  const { wire, answer, received, ends } = await connectedToBareServer()
  void answer()
  wire.write(Buffer.of(0x88, 2, 0x03, 0xe8, 0x82, 1, 7))
  await waitUntil(() => ends.length > 0)
  expect([received, ends]).toEqual([[], [{ code: 1000, reason: '' }]])
})

test('a piece keeps its bytes while the next is read into the same place', async () => {
  const { wire, answer, received } = await connectedToBareServer()
  await answer()
  const pong = once(wire, 'data')
  wire.write(Buffer.of(0x02, 2, 1, 1, 0x89, 0))
  await pong // so that the first piece is read
  wire.write(Buffer.of(0x80, 2, 2, 2))
  await waitUntil(() => received.length === 1)
  expect(received).toEqual([[1, 1, 2, 2]])
})

test('a refused or cut socket ends by itself; one that was open reports no error', async () => {
  const refused = await connectedToBareServer()
  refused.wire.write('HTTP/1.1 503 Busy\r\n\r\n')
  const cut = await connectedToBareServer()
  await cut.answer()
  cut.wire.resetAndDestroy()
  await waitUntil(() => refused.ends.length + cut.ends.length === 2)
  const end = { code: 1006, reason: '' }
  expect([refused.ends, cut.ends, cut.errors]).toEqual([[end], [end], []])
})
