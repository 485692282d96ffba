/** The nodes of a service are restarted in turn behind a balancer, in order, while a dozen windows write by all transports. */
import { expect, test } from 'vitest'
import { createSeededRandom } from '../../lib/fixtures/seeded-random.ts'
import { waitUntil } from '../../lib/fixtures/wait.ts'
import type { CloseReason } from '../../lib/protocol/close.ts'
import type { OpenDocument } from '../../lib/client.ts'
import { describeRedis } from '../../server/fanout/fixtures/describe-redis.ts'
import { createSharedDocument } from '../../server/fixtures/shared-document.ts'
import { describePostgres } from '../../server/store/fixtures/postgres-fixture.ts'
import { createDiptychWriters, type DiptychWriter } from '../fixtures/chaos-writers.ts'
import { Cluster } from '../fixtures/cluster.ts'
import { checkReplicasAndStore, writeDuring } from '../fixtures/convergence.ts'
import { everyRoute } from '../fixtures/transport-routes.ts'

const WINDOWS = 12
const ROUNDS = 2
/** The longest wait exceeds the shortest by at least so much: the waits are spread over a second and more. */
const LEAST_SPREAD_MS = 300
const MINUTE_MS = 60_000

/** Records the attempts of a window to connect, and how long it waits before them. */
class AttemptLog {
  /** The reason of each attempt; null when the window did not wait before it. */
  attempts: (CloseReason | null)[] = []
  readonly waits: number[] = []
  readonly #window: OpenDocument
  #latest: object | undefined
  #reason: CloseReason | null = null

  constructor({ window }: DiptychWriter) {
    this.#window = window
    this.#record()
    this.reset()
    window.status.subscribe(() => this.#record())
  }

  reset(): void {
    this.attempts = []
  }

  #record(): void {
    const { state } = this.#window.handle.session.links
    const latest = 'candidate' in state ? state.candidate : state
    if (latest === this.#latest) return
    this.#latest = latest
    if ('candidate' in state) this.attempts.push(this.#reason)
    this.#reason = null
    if (state.name !== 'waiting') return
    this.waits.push(state.retryAt - performance.now())
    this.#reason = state.reason
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
          { maxPauseMs: 100 },
        )
        let logs: readonly AttemptLog[] = []
        /** The reasons why each window reconnected, by restart and by window. */
        const restarts: (CloseReason | null)[][][] = []
        await writeDuring(writers, {
          async act() {
            logs = writers.map((writer) => new AttemptLog(writer))
            for (let round = 0; round < ROUNDS; round++)
              for (const { server } of cluster.nodes) {
                for (const log of logs) log.reset()
                await server.stop()
                await server.start()
                await waitUntil(() => writers.every(isUp), 'all windows to be back')
                restarts.push(logs.map(({ attempts }) => attempts))
              }
          },
          async check() {
            const stored = await cluster.readStoredDocument(document.id)
            checkReplicasAndStore([...writers.map(({ doc }) => doc), stored], writers)
            for (const windows of restarts) {
              expect(windows.flatMap((attempts) => attempts.slice(1).filter(isCausedByNodes))).toEqual([])
              expect(windows.flat()).not.toEqual([])
            }
            const waits = logs.flatMap((log) => log.waits)
            expect(Math.max(...waits) - Math.min(...waits)).toBeGreaterThan(LEAST_SPREAD_MS)
          },
          describe: () => [JSON.stringify(restarts), cluster.output],
        })
      },
      6 * MINUTE_MS,
    )
  })
})

/** An attempt that times out shows how busy this computer is, and nothing about the nodes. */
const isCausedByNodes = (reason: CloseReason | null): boolean => reason?.code !== 'timeout'

const isUp = ({ window }: DiptychWriter): boolean => window.status.get().link.state === 'up'
