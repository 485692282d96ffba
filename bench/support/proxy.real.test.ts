import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { usageOf } from './proc.ts'
import { type CountingProxy, startProxy } from './proxy.ts'

/** What is written to it comes back twice. */
async function startEcho(): Promise<number> {
  const echo = createServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', (bytes) => socket.write(Buffer.concat([bytes, bytes])))
  })
  echo.listen(0, '127.0.0.1')
  await once(echo, 'listening')
  onTestFinished(() => void echo.close())
  return (echo.address() as AddressInfo).port
}

async function proxied(): Promise<CountingProxy> {
  const proxy = await startProxy()
  onTestFinished(() => proxy.close())
  await proxy.target(await startEcho())
  return proxy
}

async function echoed(socket: Socket, text: string): Promise<string> {
  let heard = ''
  socket.on('data', (bytes: Buffer) => void (heard += bytes.toString()))
  socket.write(text)
  await expect.poll(() => heard.length).toBe(2 * text.length)
  socket.removeAllListeners('data')
  return heard
}

test('bytes are counted each way, and arrive', async () => {
  const proxy = await proxied()
  const socket = connect(proxy.port, '127.0.0.1')
  expect(await echoed(socket, 'hello')).toBe('hellohello')
  expect(await proxy.bytes()).toEqual({ up: 5, down: 10 })
  socket.destroy()
})

test('each way takes as much longer as it is told to', async () => {
  const proxy = await proxied()
  await proxy.delay(60)
  const socket = connect(proxy.port, '127.0.0.1')
  const startedAt = performance.now()
  await echoed(socket, 'hello')
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(2 * 60)
  socket.destroy()
})

test('a cut ends what is open, and what comes later is welcome', async () => {
  const proxy = await proxied()
  const socket = connect(proxy.port, '127.0.0.1')
  socket.on('error', () => {})
  await echoed(socket, 'hello')
  const closed = new Promise((resolve) => socket.once('close', resolve))
  await proxy.cut()
  await closed
  const again = connect(proxy.port, '127.0.0.1')
  expect(await echoed(again, 'hello')).toBe('hellohello')
  again.destroy()
})

test('a process that works takes processor time and memory, as the kernel tells', async () => {
  const before = await usageOf(process.pid)
  // Time of this process, not of the clock: however busy the machine is. The kernel counts in hundredths of a second.
  const { user } = process.cpuUsage()
  while (process.cpuUsage().user < user + 100_000) Math.sqrt(Math.random())
  const after = await usageOf(process.pid)
  expect(after.cpuMs).toBeGreaterThan(before.cpuMs)
  expect(after.residentKiB * 1024).toBeGreaterThan(process.memoryUsage().heapUsed)
})

test('a process that is gone is an error', async () => {
  await expect(usageOf(2 ** 22 + 1)).rejects.toThrow('ENOENT')
})
