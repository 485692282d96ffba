/** The nodes of a service are restarted in turn behind a balancer, in order, while a dozen windows write by all transports. */
import { expect, test } from 'vitest'
import { createSeededRandom } from '../../lib/fixtures/seeded-random.ts'
import { waitUntil } from '../../lib/fixtures/wait.ts'
import type { OpenDocument } from '../../lib/client.ts'
import { describeRedis } from '../../server/fanout/fixtures/describe-redis.ts'
import { createSharedDocument } from '../../server/fixtures/shared-document.ts'
import { describePostgres } from '../../server/store/fixtures/postgres-fixture.ts'
import { createDiptychWriters, type DiptychWriter } from '../fixtures/chaos-writers.ts'
import { Cluster } from '../fixtures/cluster.ts'
import { checkReplicasAndStore, describeWriter, waitForConvergence } from '../fixtures/convergence.ts'
import { everyRoute } from '../fixtures/transport-routes.ts'

const WINDOWS = 12
const ROUNDS = 2
/** They are to be spread over a second and more. */
const LEAST_SPREAD_MS = 300
const MINUTE_MS = 60_000

/** Counts the attempts of a window to connect, and notes how long it waits before them. */
class AttemptLog {
  readonly name: string
  attempts = 0
  readonly waits: number[] = []
  readonly #window: OpenDocument
  #latest: object | undefined

  constructor({ name, window }: DiptychWriter) {
    this.name = name
    this.#window = window
    this.#note()
    this.reset()
    window.status.subscribe(() => this.#note())
  }

  reset(): void {
    this.attempts = 0
  }

  #note(): void {
    const { state } = this.#window.handle.session.links
    const latest = 'candidate' in state ? state.candidate : state
    if (latest === this.#latest) return
    this.#latest = latest
    if ('candidate' in state) this.attempts += 1
    if (state.name === 'waiting') this.waits.push(state.retryAt - performance.now())
  }
}

describeRedis('with Redis', () => {
  describePostgres('and PostgreSQL', () => {
    test(
      '[S8] a rolling restart costs each window one retry at most, spread by jitter, and no letter',
      async () => {
        await using cluster = await Cluster.start(2)
        const document = await createSharedDocument(cluster.origins.http)
        const routes = Array.from({ length: WINDOWS }, (_, index) => everyRoute[index % everyRoute.length]!)
        const writers = createDiptychWriters(
          cluster.origins,
          document,
          (name) => createSeededRandom(1, name),
          routes,
          { thinkingMs: 100 },
        )
        const stop = new AbortController()
        try {
          await Promise.all(writers.map((writer) => writer.waitUntilSynced()))
          const logs = writers.map((writer) => new AttemptLog(writer))
          for (const writer of writers) writer.start(stop.signal)
          const restarts: Record<string, number>[] = []
          for (let round = 0; round < ROUNDS; round++)
            for (const { server } of cluster.nodes) {
              for (const log of logs) log.reset()
              await server.stop()
              await server.start()
              await waitUntil(() => writers.every(isUp), 'all windows to be back')
              restarts.push(Object.fromEntries(logs.map(({ name, attempts }) => [name, attempts])))
            }
          stop.abort()
          await waitForConvergence(writers)
          const stored = await cluster.readStoredDocument(document.id)
          checkReplicasAndStore([...writers.map(({ doc }) => doc), stored], writers)
          for (const attempts of restarts) {
            expect(Math.max(...Object.values(attempts)), JSON.stringify(attempts)).toBe(1)
            expect(Object.keys(attempts)).toHaveLength(WINDOWS)
          }
          const waits = logs.flatMap((log) => log.waits)
          expect(Math.max(...waits) - Math.min(...waits)).toBeGreaterThan(LEAST_SPREAD_MS)
        } catch (error) {
          const details = [...writers.map(describeWriter), cluster.output].join('\n')
          throw new Error(`${String(error)}\n${details}`, { cause: error })
        } finally {
          stop.abort()
          await Promise.all(writers.map((writer) => writer.close()))
        }
      },
      3 * MINUTE_MS,
    )
  })
})

const isUp = ({ window }: DiptychWriter): boolean => window.status.get().link.state === 'up'
