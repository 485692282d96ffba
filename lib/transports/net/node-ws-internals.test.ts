/** What node-ws-internals.ts, and those who write to the stream below a WebSocket, assume of ws. Raise the version here when they were checked. */
import { once } from 'node:events'
import { duplexPair, type Duplex } from 'node:stream'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import packageJson from '../../../package.json' with { type: 'json' }
import { openOverStream, UNADDRESSED } from './node-ws-internals.ts'

test('the version that these assumptions were checked with', () => {
  expect(packageJson.dependencies.ws).toBe('8.23.0')
})

function openPair() {
  const [clientStream, serverStream] = duplexPair()
  const open = (end: 'client' | 'server', stream: Duplex): WebSocket => {
    const options = {
      autoPong: true,
      allowSynchronousEvents: true,
      maxPayload: 1_000,
      perMessageDeflate: false,
    }
    const webSocket = new WebSocket(UNADDRESSED, undefined, options)
    openOverStream(webSocket, end, stream, options)
    return webSocket
  }
  return {
    client: open('client', clientStream),
    server: open('server', serverStream),
    clientStream,
    serverStream,
  }
}

test('both ends are open at once, and understand each other', async () => {
  const { client, server } = openPair()
  expect([client.readyState, server.readyState]).toEqual([WebSocket.OPEN, WebSocket.OPEN])
  for (const [from, to] of [
    [client, server],
    [server, client],
  ] as const) {
    from.send('a message')
    const [data] = (await once(to, 'message')) as [Buffer]
    expect(String(data)).toBe('a message')
  }
  server.close(1001, 'done')
  const [code, reason] = (await once(client, 'close')) as [number, Buffer]
  expect([code, String(reason)]).toEqual([1001, 'done'])
})

test('a client masks its frames, and a server does not', async () => {
  const { client, server, clientStream, serverStream } = openPair()
  const isMasked = ([, second]: Buffer): boolean => (second! & 0x80) !== 0
  client.send('x')
  expect(isMasked((await once(serverStream, 'data'))[0] as Buffer)).toBe(true)
  server.send('x')
  expect(isMasked((await once(clientStream, 'data'))[0] as Buffer)).toBe(false)
})

test('a listener put before those of ws sees a piece before its message', async () => {
  const { client, server, serverStream } = openPair()
  const seen: string[] = []
  serverStream.prependListener('data', () => seen.push('piece'))
  server.on('message', () => seen.push('message'))
  client.send('x')
  await once(server, 'message')
  expect(seen).toEqual(['piece', 'piece', 'message']) // ws writes header and payload one after the other
})

test('ws writes its own frames whole and at once, so that others may be written between them', async () => {
  const { server, serverStream } = openPair()
  const written: string[] = []
  const { write } = serverStream
  serverStream.write = (chunk: Buffer, ...rest: never[]) => {
    written.push(Buffer.from(chunk).toString('hex'))
    return (write as (...all: unknown[]) => boolean).call(serverStream, chunk, ...rest)
  }
  serverStream.cork()
  server.ping()
  expect(written.join('')).toBe('8900')
  server.close(1000)
  expect(written.join('')).toBe('8900880203e8')
})
