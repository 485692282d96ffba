/** What windows hear of a server that ends, and when it is still to be reached. */
import { once } from 'node:events'
import http2 from 'node:http2'
import net from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import type { OpenDocument } from '../lib/client.ts'
import type { CloseReason } from '../lib/protocol/close.ts'
import type { DrainStep } from './drain.ts'
import { findFreePorts } from './fixtures/free-ports.ts'
import { allRoutes, RealServer } from './fixtures/real-server.ts'
import { startTestServer } from './fixtures/test-server.ts'

const nodeEnvironment = { DATABASE_URL: 'postgres://nowhere/diptych' }

test('[S8] windows are told that the server goes away, and when to come back', async () => {
  await using server = await RealServer.start()
  const document = await server.createDocument()
  const windows = allRoutes.map((route) => server.openDocument(document, route))
  await Promise.all(windows.map((window) => window.whenSynced))
  // The first one: who comes back soon is refused.
  const reasons = windows.map(firstEndOf)
  await server.stop()
  expect(await Promise.all(reasons)).toEqual(
    allRoutes.map(() => ({ code: 'going-away', retryAfterMs: expect.any(Number) as number })),
  )
  await Promise.all(windows.map((window) => window.close()))
})

const firstEndOf = ({ status }: OpenDocument): Promise<CloseReason> =>
  new Promise((resolve) =>
    status.subscribe(() => {
      const { link } = status.get()
      if (link.state === 'retrying') resolve(link.reason)
    }),
  )

test.each([
  ['[S8] a server on SQLite answers that it starts', {}, ['503', '200', 'ECONNREFUSED']],
  [
    '[S10] a node is not to be reached while it starts or ends, since its balancer has others',
    nodeEnvironment,
    ['ECONNREFUSED', 'ECONNREFUSED', 'ECONNREFUSED'],
  ],
] as const)('%s; once its windows are sent away nobody can connect', async (_what, environment, expected) => {
  const [port, httpsPort] = await findFreePorts(2)
  const outcomes: string[] = []
  const connect = async (): Promise<void> => {
    const outcome = await fetch(`http://localhost:${port}/healthz`, {
      headers: { connection: 'close' },
    }).then(
      ({ status }) => `${status}`,
      ({ cause }: Error) => (cause as NodeJS.ErrnoException).code ?? 'failed',
    )
    outcomes.push(outcome)
  }
  const step: DrainStep = { name: 'connect', limitMs: 5_000, run: connect }
  await using server = await startTestServer({
    environment: { PORT: `${port}`, HTTPS_PORT: `${httpsPort}`, ...environment },
    services: { finishSteps: [step], drainSteps: [step] },
    prepare: connect,
  })
  await server.drain()
  expect(outcomes).toEqual(expected)
})

test('[S10] connections that are open when a node takes no more are answered, and asked to leave', async () => {
  let answer = ''
  const goaways: number[][] = []
  const step: DrainStep = {
    name: 'request',
    limitMs: 5_000,
    async run() {
      socket.end('GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n')
      answer = await text(socket)
    },
  }
  const [port, httpsPort] = await findFreePorts(2)
  await using server = await startTestServer({
    environment: { ...nodeEnvironment, PORT: `${port}`, HTTPS_PORT: `${httpsPort}` },
    services: { drainSteps: [step] },
  })
  const socket = net.connect({ port: Number(new URL(server.http).port), host: 'localhost' })
  const session = http2.connect(server.https, { rejectUnauthorized: false })
  session.on('goaway', (code, lastStream) => goaways.push([code, lastStream]))
  await Promise.all([once(socket, 'connect'), once(session, 'connect')])
  await server.drain()
  expect(answer).toMatch(/^HTTP\/1\.1 200 [^]*\r\nconnection: close\r\n/i)
  // Whatever stream has been begun by then is served (RFC 9113, 6.8).
  expect(goaways[0]).toEqual([http2.constants.NGHTTP2_NO_ERROR, 2 ** 31 - 1])
})
