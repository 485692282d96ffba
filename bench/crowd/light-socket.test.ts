import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { LightSocket } from './light-socket.ts'

async function connected(): Promise<{ light: LightSocket; server: WebSocket; heard: (string | number)[] }> {
  const sockets = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false })
  onTestFinished(() => sockets.close())
  await once(sockets, 'listening')
  const { port } = sockets.address() as AddressInfo
  const light = new LightSocket(`ws://localhost:${port}/here?and=there`, { 'x-a': 'b' }, ['diptych'])
  const heard: (string | number)[] = []
  light.onmessage = ({ data }: { data: ArrayBuffer | string }) =>
    void heard.push(typeof data === 'string' ? data : data.byteLength)
  const opened = new Promise<void>((resolve) => (light.onopen = () => resolve()))
  const [server] = (await once(sockets, 'connection')) as [WebSocket]
  await opened
  return { light, server, heard }
}

const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5))
}

test('messages of all lengths arrive whole and in order, both ways', async () => {
  const { light, server, heard } = await connected()
  const lengths = [0, 1, 125, 126, 65_535, 65_536, 300_000]
  for (const length of lengths) server.send(new Uint8Array(length))
  server.send('and a text')
  await until(() => heard.length === lengths.length + 1)
  expect(heard).toEqual([...lengths, 'and a text'])

  const there: number[] = []
  server.on('message', (data: Buffer) => there.push(data.length))
  for (const length of lengths) light.send(new Uint8Array(length))
  await until(() => there.length === lengths.length)
  expect(there).toEqual(lengths)
  expect(light.protocol).toBe('diptych')
})

test('a message in several frames is one message, with a ping between them answered', async () => {
  const { server, heard } = await connected()
  const answered = once(server, 'pong')
  server.send(new Uint8Array(10), { fin: false })
  server.ping()
  server.send(new Uint8Array(5), { fin: true })
  await answered
  await until(() => heard.length === 1)
  expect(heard).toEqual([15])
})

test('the end is told once, with the server’s code', async () => {
  const { light, server } = await connected()
  const ends: number[] = []
  light.onclose = ({ code }: { code: number }) => void ends.push(code)
  server.close(4010, 'going away')
  await once(server, 'close')
  await until(() => ends.length > 0)
  expect(ends).toEqual([4010])
})

test('a refusal is told with its status', async () => {
  const refusing = new WebSocketServer({ host: '127.0.0.1', port: 0, verifyClient: () => false })
  onTestFinished(() => refusing.close())
  await once(refusing, 'listening')
  const light = new LightSocket(`ws://localhost:${(refusing.address() as AddressInfo).port}/`)
  const message = await new Promise((resolve) => {
    light.onerror = (event: { message: string }) => resolve(event.message)
  })
  expect(message).toBe('Unexpected server response: 401')
})
