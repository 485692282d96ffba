/** What windows hear of a server that ends, and when it is still to be reached. */
import { expect, test } from 'vitest'
import type { OpenDocument } from '../lib/client.ts'
import type { CloseReason } from '../lib/protocol/close.ts'
import type { DrainStep } from './drain.ts'
import { findFreePorts } from './fixtures/free-ports.ts'
import { allRoutes, RealServer } from './fixtures/real-server.ts'
import { startTestServer } from './fixtures/test-server.ts'

/** A link that is polled may have nobody to tell just then. */
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
  ['[S8] a server on SQLite answers that it starts', {}, '503'],
  [
    '[S10] a node is not to be reached while it starts, since its balancer has others',
    { DATABASE_URL: 'postgres://nowhere/diptych' },
    'ECONNREFUSED',
  ],
] as const)(
  '%s; once its windows are sent away nobody can connect',
  async (_what, environment, whileStarting) => {
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
    expect(outcomes).toEqual([whileStarting, '200', 'ECONNREFUSED'])
  },
)
