import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { usageOf } from './proc.ts'
import { startProxy } from './proxy.ts'

test('bytes are counted each way, and arrive', async () => {
  const echo = createServer((socket) =>
    socket.on('data', (bytes) => socket.end(Buffer.concat([bytes, bytes]))),
  )
  echo.listen(0, '127.0.0.1')
  await once(echo, 'listening')
  onTestFinished(() => void echo.close())
  const proxy = await startProxy()
  onTestFinished(() => proxy.close())
  await proxy.target((echo.address() as AddressInfo).port)
  await proxy.delay(5)
  const socket = connect(proxy.port, '127.0.0.1')
  socket.write('hello')
  const heard: Buffer[] = []
  socket.on('data', (bytes) => heard.push(bytes))
  await once(socket, 'end')
  expect(Buffer.concat(heard).toString()).toBe('hellohello')
  expect(await proxy.bytes()).toEqual({ up: 5, down: 10 })
})

test('a process that works takes processor time and memory, as the kernel tells', async () => {
  const before = await usageOf(process.pid)
  // Time of this process, not of the clock: however busy the machine is.
  while (process.cpuUsage().user < (before.cpuMs + 100) * 1000) Math.sqrt(Math.random())
  const after = await usageOf(process.pid)
  expect(after.cpuMs).toBeGreaterThan(before.cpuMs)
  expect(after.residentKiB).toBeGreaterThan(after.anonymousKiB)
  expect(after.peakKiB).toBeGreaterThanOrEqual(after.residentKiB)
  expect(after.threads).toBeGreaterThan(1)
})

test('a process that is gone is an error', async () => {
  await expect(usageOf(2 ** 22 + 1)).rejects.toThrow('ENOENT')
})
