/**
 * Five clients write through a balancer to several nodes, which share a PostgreSQL and a Redis, while one thing after the other fails.
 * Each request of HTTP/1.1 goes to the next node. Checks what is stored and what everybody has at the end.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { join } from 'node:path'
import type * as Y from 'yjs'
import { createSeededRandom } from '../../lib/fixtures/seeded-random.ts'
import { waitUntil } from '../../lib/fixtures/wait.ts'
import { type Balancer, balanceConnections, balanceRequests } from '../../scripts/balancer.ts'
import { type RedisServer, startRedisServer } from '../../server/fanout/fixtures/redis-server.ts'
import { docOfUpdates } from '../../server/fixtures/doc-of-updates.ts'
import { createSharedDocument } from '../../server/fixtures/shared-document.ts'
import { temporaryFolder } from '../../server/fixtures/temporary-folder.ts'
import {
  leaseDatabase,
  runInDatabase,
  type TestDatabase,
} from '../../server/store/fixtures/postgres-databases.ts'
import { openPostgresStore } from '../../server/store/postgres.ts'
import { type ChaosWriter, createFiveWriters } from '../fixtures/chaos-writers.ts'
import {
  checkReplicasAndStore,
  countAcknowledged,
  describeWriter,
  ledgersOf,
  waitForConvergence,
} from '../fixtures/convergence.ts'
import { KillableServer } from '../fixtures/killable-server.ts'

export class Cluster implements AsyncDisposable {
  readonly database: TestDatabase
  readonly redis: RedisServer
  readonly nodes: readonly KillableServer[]
  readonly origins: { readonly http: string; readonly https: string }
  readonly #balancers: readonly Balancer[]
  readonly #folder: AsyncDisposable

  static async start(count: number): Promise<Cluster> {
    const [database, redis, folder] = [
      await leaseDatabase(),
      await startRedisServer(),
      await temporaryFolder(),
    ]
    const environment = {
      DATABASE_URL: database.url,
      REDIS_URL: redis.url,
      SECRET_FILE: join(folder.path, 'secret'),
    }
    const nodes: KillableServer[] = []
    // One after the other: the first makes the secret.
    for (let n = 0; n < count; n++) nodes.push(await KillableServer.start({ environment }))
    const portsOf = (scheme: 'http' | 'https') => () =>
      nodes.map((node) => Number(new URL(node.origins[scheme]).port))
    const balancers = [
      await balanceRequests({ targets: portsOf('http') }),
      await balanceConnections({ targets: portsOf('https') }),
    ]
    return new Cluster(database, redis, nodes, balancers, folder)
  }

  private constructor(
    database: TestDatabase,
    redis: RedisServer,
    nodes: readonly KillableServer[],
    balancers: readonly Balancer[],
    folder: AsyncDisposable,
  ) {
    this.database = database
    this.redis = redis
    this.nodes = nodes
    this.#balancers = balancers
    this.#folder = folder
    this.origins = {
      http: `http://localhost:${balancers[0]!.port}`,
      https: `https://localhost:${balancers[1]!.port}`,
    }
  }

  /** Ends every session with PostgreSQL, as its restart does. */
  endDatabaseSessions(): Promise<void> {
    return runInDatabase(
      this.database.url,
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    )
  }

  async readStoredDocument(document: string): Promise<Y.Doc> {
    await using folder = await temporaryFolder()
    const store = await openPostgresStore({ url: this.database.url, dataDir: folder.path })
    try {
      return docOfUpdates((await store.documents.load(document, 'body')).updates)
    } finally {
      await store.close()
    }
  }

  get output(): string {
    return this.nodes.map(({ output }, index) => `node ${index + 1}:\n${output}`).join('\n')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#balancers.map((balancer) => balancer.close()))
    await Promise.all(this.nodes.map((node) => node[Symbol.asyncDispose]()))
    await this.redis[Symbol.asyncDispose]()
    await this.database[Symbol.asyncDispose]()
    await this.#folder[Symbol.asyncDispose]()
  }
}

export interface ClusterFault {
  readonly name: string
  run(cluster: Cluster): Promise<void>
}

const MOMENT_MS = 700

export const clusterFaults: readonly ClusterFault[] = [
  {
    name: 'Redis is killed and started again',
    async run({ redis }) {
      await redis.kill()
      await sleep(MOMENT_MS)
      await redis.start()
    },
  },
  {
    name: 'a node is killed and started again',
    async run({ nodes: [first] }) {
      await first!.kill()
      await sleep(MOMENT_MS)
      await first!.start()
    },
  },
  { name: 'PostgreSQL ends all sessions', run: (cluster) => cluster.endDatabaseSessions() },
  {
    name: 'Redis stands still',
    async run({ redis }) {
      redis.suspend()
      await sleep(4 * MOMENT_MS)
      redis.resume()
    },
  },
  {
    name: 'every node is restarted in turn',
    async run({ nodes }) {
      for (const node of nodes) {
        await node.stop()
        await node.start()
      }
    },
  },
]

export interface ClusterReport {
  readonly tokens: number
  readonly acknowledged: number
}

/** @throws {Error} with what happened, when the oracle finds a violation or the replicas do not converge. */
export async function writeThroughFaults(
  faults: readonly ClusterFault[],
  { seed = 1, nodes = 2 } = {},
): Promise<ClusterReport> {
  await using cluster = await Cluster.start(nodes)
  const document = await createSharedDocument(cluster.origins.http)
  const writers = createFiveWriters(cluster.origins, document, (name) => createSeededRandom(seed, name))
  const stop = new AbortController()
  const steps: string[] = []
  try {
    await Promise.all(writers.map((writer) => writer.waitUntilSynced()))
    for (const writer of writers) writer.start(stop.signal)
    await writeSomeMore(writers)
    for (const { name, run } of faults) {
      await run(cluster)
      steps.push(`${name}, at ${countAcknowledged(writers)} acknowledged`)
      await writeSomeMore(writers)
    }
    stop.abort()
    await waitForConvergence(writers)
    const stored = await cluster.readStoredDocument(document.id)
    checkReplicasAndStore([...writers.map(({ doc }) => doc), stored], writers)
    const tokens = ledgersOf(writers).reduce((sum, ledger) => sum + ledger.size, 0)
    return { tokens, acknowledged: countAcknowledged(writers) }
  } catch (error) {
    const details = [...steps, ...writers.map(describeWriter), cluster.output].join('\n')
    throw new Error(`${String(error)}\n${details}`, { cause: error })
  } finally {
    stop.abort()
    await Promise.all(writers.map((writer) => writer.close()))
  }
}

async function writeSomeMore(writers: readonly ChaosWriter[]): Promise<void> {
  const goal = countAcknowledged(writers) + 40
  await waitUntil(() => countAcknowledged(writers) >= goal, 'new acknowledgements')
}
