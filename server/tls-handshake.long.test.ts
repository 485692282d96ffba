/** Waits for the time that a TLS handshake may take. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { duplexPair } from 'node:stream'
import { connect as connectTls } from 'node:tls'
import { expect, test } from 'vitest'
import { httpClients } from './fixtures/http-clients.ts'
import { startTestServer } from './fixtures/test-server.ts'

/** Returns the first flight of a client that would speak HTTP/2. */
async function createClientHello(): Promise<Buffer> {
  const [near, far] = duplexPair()
  connectTls({ socket: near, ALPNProtocols: ['h2'] }).on('error', () => {})
  const [hello] = (await once(far, 'data')) as [Buffer]
  near.destroy()
  return hello
}

test('[A6] a TLS handshake that is not over in time ends with its connection', async () => {
  await using server = await startTestServer()
  const socket = connect(Number(new URL(server.https).port), '127.0.0.1')
  socket.resume().write(await createClientHello())
  await once(socket, 'close')
  expect((await httpClients.h2(server, '/healthz')).status).toBe(200)
})
