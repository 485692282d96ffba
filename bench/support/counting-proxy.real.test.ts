import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { waitUntil } from '../../lib/fixtures/wait.ts'
import { startProxy } from './counting-proxy.ts'

/** The server writes twice what is written to it. */
async function echoed(socket: Socket, text: string): Promise<string> {
  let heard = ''
  socket.on('data', (bytes: Buffer) => void (heard += bytes.toString()))
  socket.write(text)
  await waitUntil(() => heard.length === 2 * text.length)
  socket.removeAllListeners('data')
  return heard
}

test('a proxy in its own thread obeys: it counts each way, delays each way, and cuts what is open and not what comes later', async () => {
  const echo = createServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', (bytes) => socket.write(Buffer.concat([bytes, bytes])))
  })
  echo.listen(0, '127.0.0.1')
  await once(echo, 'listening')
  onTestFinished(() => void echo.close())
  const proxy = await startProxy()
  onTestFinished(() => proxy.close())
  await proxy.target((echo.address() as AddressInfo).port)
  const open = () => connect(proxy.port, '127.0.0.1').on('error', () => {})

  const socket = open()
  expect(await echoed(socket, 'hello')).toBe('hellohello')
  expect(await proxy.bytes()).toEqual({ up: 5, down: 10 })

  await proxy.delay(60)
  const startedAt = performance.now()
  await echoed(socket, 'hello')
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(2 * 60)

  const closed = new Promise((resolve) => socket.once('close', resolve))
  await proxy.cut()
  await closed
  const again = open()
  expect(await echoed(again, 'hello')).toBe('hellohello')
  again.destroy()
})
