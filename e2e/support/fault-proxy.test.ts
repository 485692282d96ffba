import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { AddressInfo, Server, Socket } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { FaultProxy } from './fault-proxy.ts'

let echo: Server
let proxy: FaultProxy
const clients: Socket[] = []

beforeEach(async () => {
  echo = createServer((socket) => socket.on('error', () => undefined).pipe(socket))
  echo.listen(0, '127.0.0.1')
  await once(echo, 'listening')
  proxy = await FaultProxy.listen()
  proxy.targetPort = (echo.address() as AddressInfo).port
})

afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy()
  await proxy.close()
  echo.close()
})

interface Client {
  readonly socket: Socket
  received(): string
  gets(text: string): Promise<void>
}

function client(): Client {
  const socket = connect({ port: proxy.port, host: '127.0.0.1' })
  clients.push(socket)
  let text = ''
  socket.on('data', (bytes) => {
    text += bytes.toString()
  })
  const gets = async (wanted: string) => {
    while (text !== wanted) await once(socket, 'data')
  }
  return { socket, received: () => text, gets }
}

const ended = (socket: Socket) =>
  new Promise<string>((resolve) => {
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''))
    socket.on('end', () => resolve('end'))
  })

test('bytes pass both ways and are counted', async () => {
  const { socket, gets } = client()
  socket.write('hello')
  await gets('hello')
  expect(proxy.bytes).toEqual({ up: 5, down: 5 })
})

test('an end passes, after everything before it', async () => {
  const { socket, received } = client()
  socket.end('x'.repeat(1_000_000))
  expect(await ended(socket)).toBe('end')
  expect(received()).toHaveLength(1_000_000)
})

test('a cut ends open connections, and new ones work', async () => {
  const first = client()
  first.socket.write('a')
  await first.gets('a')
  const end = ended(first.socket)
  proxy.cut()
  expect(await end).toBe('ECONNRESET')
  const second = client()
  second.socket.write('b')
  await second.gets('b')
})

test('offline refuses new connections until it heals', async () => {
  proxy.goOffline()
  expect(await ended(client().socket)).toBe('ECONNRESET')
  proxy.heal()
  const { socket, gets } = client()
  socket.write('b')
  await gets('b')
})

test('a frozen direction holds bytes back and loses none', async () => {
  const { socket, gets, received } = client()
  socket.write('a')
  await gets('a')
  proxy.set({ frozen: { up: false, down: true } })
  socket.write('b')
  while (proxy.bytes.up < 2) await new Promise(setImmediate)
  expect(received()).toBe('a')
  proxy.heal()
  await gets('ab')
})

test('delay keeps order', async () => {
  proxy.set({ delayMs: 20 })
  const { socket, gets } = client()
  await once(socket, 'connect')
  const start = performance.now()
  socket.write('a')
  socket.write('b')
  await gets('ab')
  // Both ways.
  expect(performance.now() - start).toBeGreaterThanOrEqual(40)
})

test('jitter keeps order', async () => {
  proxy.set({ jitterMs: 30 })
  const { socket, gets } = client()
  const letters = 'abcdefghijklmnopqrstuvwxyz'
  for (const letter of letters) {
    socket.write(letter)
    await new Promise(setImmediate)
  }
  await gets(letters)
})

test('what is dropped one way is lost, the other way works, and healing resets the connection', async () => {
  const { socket, gets, received } = client()
  socket.write('a')
  await gets('a')
  proxy.set({ dropped: { up: true, down: false } })
  socket.write('b')
  const other = client()
  other.socket.write('c')
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect([received(), other.received(), proxy.bytes.up]).toEqual(['a', '', 1])
  const ends = [ended(socket), ended(other.socket)]
  proxy.heal()
  expect(await Promise.all(ends)).toEqual(['ECONNRESET', 'ECONNRESET'])
  const third = client()
  third.socket.write('d')
  await third.gets('d')
})

test('a connection is cut when it is old enough, and new ones work', async () => {
  proxy.set({ cutAfterMs: 30 })
  const first = client()
  first.socket.write('a')
  await first.gets('a')
  expect(await ended(first.socket)).toBe('ECONNRESET')
  const second = client()
  second.socket.write('b')
  await second.gets('b')
})

test('slices lose nothing', async () => {
  proxy.set({ sliceBytes: 1 })
  const { socket, gets } = client()
  socket.write('abc')
  await gets('abc')
  expect(proxy.bytes).toEqual({ up: 3, down: 3 })
})

test('bandwidth is kept', async () => {
  proxy.set({ bytesPerSecond: 1000 })
  const { socket, gets } = client()
  const start = performance.now()
  socket.write('x'.repeat(100))
  await gets('x'.repeat(100))
  expect(performance.now() - start).toBeGreaterThanOrEqual(100)
})

test('a half-open connection is silent for good, and new ones work', async () => {
  const first = client()
  first.socket.write('a')
  await first.gets('a')
  proxy.halfOpen()
  first.socket.write('b')
  const second = client()
  second.socket.write('c')
  await second.gets('c')
  expect(first.received()).toBe('a')
  expect(first.socket.destroyed).toBe(false)
  const end = ended(first.socket)
  proxy.heal()
  expect(await end).toBe('ECONNRESET')
})
