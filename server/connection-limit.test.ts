import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import type { Environment } from './config.ts'
import { httpClients } from './fixtures/http-clients.ts'
import { startTestServer } from './fixtures/test-server.ts'

const sockets: Socket[] = []
let server: Awaited<ReturnType<typeof startTestServer>>
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await server[Symbol.asyncDispose]()
})

const startWith = async (environment: Environment) => void (server = await startTestServer({ environment }))

async function openSocket(origin: string): Promise<Socket> {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1')
  socket.on('error', () => {})
  sockets.push(socket)
  await once(socket, 'connect')
  return socket
}

/** Returns whether the server answers on the connection. */
async function isServed(socket: Socket): Promise<boolean> {
  const answered = once(socket, 'data').then(() => true)
  const cut = once(socket, 'close').then(() => false)
  socket.write('GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n')
  return Promise.race([answered, cut])
}

test('[A6] an address may have so many connections open, on both ports together; one that closes makes room', async () => {
  await startWith({ LIMIT_OPEN_CONNECTIONS: '3' })
  const first = await openSocket(server.http)
  expect(await isServed(first)).toBe(true)
  await openSocket(server.https)
  const third = await openSocket(server.http)
  expect(await isServed(third)).toBe(true)
  expect(await isServed(await openSocket(server.http))).toBe(false)
  third.destroy()
  while (!(await isServed(await openSocket(server.http)))) sockets.pop()?.destroy()
})

test('[A6] an address may open twice LIMIT_CONNECTIONS a second', async () => {
  await startWith({ LIMIT_CONNECTIONS: '2/0.001' })
  for (let n = 0; n < 4; n++) expect(await isServed(await openSocket(server.http))).toBe(true)
  expect(await isServed(await openSocket(server.http))).toBe(false)
  await expect(httpClients.h2(server, '/healthz')).rejects.toThrow()
})

test('[A6] a trusted proxy is not counted, and off means no limit', async () => {
  const limits = { LIMIT_CONNECTIONS: '1/0.001', LIMIT_OPEN_CONNECTIONS: '1' }
  await startWith({ ...limits, TRUSTED_PROXIES: '127.0.0.1' })
  for (let n = 0; n < 5; n++) expect(await isServed(await openSocket(server.http))).toBe(true)
  await server[Symbol.asyncDispose]()
  await startWith({ LIMIT_CONNECTIONS: 'off', LIMIT_OPEN_CONNECTIONS: 'off' })
  for (let n = 0; n < 5; n++) expect(await isServed(await openSocket(server.http))).toBe(true)
})
