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

interface EchoClient {
  readonly socket: Socket
  readText(): string
  waitForText(text: string): Promise<void>
}

function client(): EchoClient {
  const socket = connect({ port: proxy.port, host: '127.0.0.1' })
  clients.push(socket)
  let text = ''
  socket.on('data', (bytes) => {
    text += bytes.toString()
  })
  const waitForText = async (wanted: string) => {
    while (text !== wanted) await once(socket, 'data')
  }
  return { socket, readText: () => text, waitForText }
}

const waitUntilEnded = (socket: Socket) =>
  new Promise<string>((resolve) => {
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''))
    socket.on('end', () => resolve('end'))
  })

test('bytes pass both ways and are counted', async () => {
  const { socket, waitForText } = client()
  socket.write('hello')
  await waitForText('hello')
  expect(proxy.passedBytes).toEqual({ up: 5, down: 5 })
})

test('the end of a stream passes after all its bytes', async () => {
  const { socket, readText } = client()
  socket.end('x'.repeat(1_000_000))
  expect(await waitUntilEnded(socket)).toBe('end')
  expect(readText()).toHaveLength(1_000_000)
})

test('a cut ends open connections, and new ones work', async () => {
  const first = client()
  first.socket.write('a')
  await first.waitForText('a')
  const end = waitUntilEnded(first.socket)
  proxy.cutConnections()
  expect(await end).toBe('ECONNRESET')
  const second = client()
  second.socket.write('b')
  await second.waitForText('b')
})

test('offline, new connections are refused until the proxy heals', async () => {
  proxy.goOffline()
  expect(await waitUntilEnded(client().socket)).toBe('ECONNRESET')
  proxy.heal()
  const { socket, waitForText } = client()
  socket.write('b')
  await waitForText('b')
})

test('a frozen direction holds bytes back and loses none', async () => {
  const { socket, waitForText, readText } = client()
  socket.write('a')
  await waitForText('a')
  proxy.setFaults({ frozen: { up: false, down: true } })
  socket.write('b')
  while (proxy.passedBytes.up < 2) await new Promise(setImmediate)
  expect(readText()).toBe('a')
  proxy.heal()
  await waitForText('ab')
})

test('delay keeps order', async () => {
  proxy.setFaults({ delayMs: 20 })
  const { socket, waitForText } = client()
  await once(socket, 'connect')
  const start = performance.now()
  socket.write('a')
  socket.write('b')
  await waitForText('ab')
  // Applies both ways.
  expect(performance.now() - start).toBeGreaterThanOrEqual(40)
})

test('jitter keeps order', async () => {
  proxy.setFaults({ jitterMs: 30 })
  const { socket, waitForText } = client()
  const letters = 'abcdefghijklmnopqrstuvwxyz'
  for (const letter of letters) {
    socket.write(letter)
    await new Promise(setImmediate)
  }
  await waitForText(letters)
})

test('bytes dropped one way are lost, the other way works, and healing resets the connection', async () => {
  const { socket, waitForText, readText } = client()
  socket.write('a')
  await waitForText('a')
  proxy.setFaults({ dropped: { up: true, down: false } })
  socket.write('b')
  const other = client()
  other.socket.write('c')
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect([readText(), other.readText(), proxy.passedBytes.up]).toEqual(['a', '', 1])
  const ends = [waitUntilEnded(socket), waitUntilEnded(other.socket)]
  proxy.heal()
  expect(await Promise.all(ends)).toEqual(['ECONNRESET', 'ECONNRESET'])
  const third = client()
  third.socket.write('d')
  await third.waitForText('d')
})

test('a connection is cut at its age limit, and new ones work', async () => {
  proxy.setFaults({ cutAfterMs: 30 })
  const first = client()
  first.socket.write('a')
  await first.waitForText('a')
  expect(await waitUntilEnded(first.socket)).toBe('ECONNRESET')
  const second = client()
  second.socket.write('b')
  await second.waitForText('b')
})

test('slices lose nothing', async () => {
  proxy.setFaults({ sliceBytes: 1 })
  const { socket, waitForText } = client()
  socket.write('abc')
  await waitForText('abc')
  expect(proxy.passedBytes).toEqual({ up: 3, down: 3 })
})

test('bandwidth is limited', async () => {
  proxy.setFaults({ bytesPerSecond: 1000 })
  const { socket, waitForText } = client()
  const start = performance.now()
  socket.write('x'.repeat(100))
  await waitForText('x'.repeat(100))
  expect(performance.now() - start).toBeGreaterThanOrEqual(100)
})

test('a half-open connection stays silent, and new ones work', async () => {
  const first = client()
  first.socket.write('a')
  await first.waitForText('a')
  proxy.makeHalfOpen()
  first.socket.write('b')
  const second = client()
  second.socket.write('c')
  await second.waitForText('c')
  expect(first.readText()).toBe('a')
  expect(first.socket.destroyed).toBe(false)
  const end = waitUntilEnded(first.socket)
  proxy.heal()
  expect(await end).toBe('ECONNRESET')
})
