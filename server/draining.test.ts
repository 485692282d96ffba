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

/** Polls are awaited for a while only, and a busy computer may take longer: see polls.test.ts. */
const routes = allRoutes.filter(({ transport }) => !transport.endsWith('poll'))

test('[S8] windows whose link is a stream are told that the server goes away, and when to come back', async () => {
  await using server = await RealServer.start()
  const document = await server.createDocument()
  const windows = routes.map((route) => server.openDocument(document, route))
  await Promise.all(windows.map((window) => window.whenSynced))
  // The first one: who comes back soon is refused.
  const reasons = windows.map(firstEndOf)
  await server.stop()
  expect(await Promise.all(reasons)).toEqual(
    routes.map(() => ({ code: 'going-away', retryAfterMs: expect.any(Number) as number })),
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

test('a node whose port another program has does not start, and says which', async () => {
  const [httpsPort] = await findFreePorts(1)
  await using other = net.createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as net.AddressInfo
  const environment = { ...nodeEnvironment, PORT: `${port}`, HTTPS_PORT: `${httpsPort}`, HOST: '127.0.0.1' }
  const closed: string[] = []
  const step: DrainStep = { name: 'store', limitMs: 1_000, run: () => void closed.push('store') }
  await expect(startTestServer({ environment, services: { closeSteps: [step] } })).rejects.toThrow(
    `PORT is "${port}", which another program uses`,
  )
  expect(closed).toEqual(['store'])
})
