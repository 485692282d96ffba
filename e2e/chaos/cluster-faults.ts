/**
 * Five clients write through a balancer to several nodes, which share a PostgreSQL and a Redis, and one more at each node, while one thing
 * after the other fails. Each request of HTTP/1.1 goes to the next node. Checks what is stored and what everybody has at the end.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { createSeededRandom } from '../../lib/fixtures/seeded-random.ts'
import { waitUntil } from '../../lib/fixtures/wait.ts'
import { createSharedDocument, type SharedDocument } from '../../server/fixtures/shared-document.ts'
import { type CommitCut, commitCuts } from '../../server/store/fixtures/postgres-proxy.ts'
import {
  type ChaosWriter,
  createDiptychWriters,
  createFiveWriters,
  type DiptychWriter,
} from '../fixtures/chaos-writers.ts'
import { type Cluster, type NodeLink, nodeLinks } from '../fixtures/cluster.ts'
import {
  checkReplicasAndStore,
  countAcknowledged,
  countTokens,
  waitForConvergence,
  writeDuring,
} from '../fixtures/convergence.ts'
import type { FaultProxy } from '../fixtures/fault-proxy.ts'

export interface ClusterFault {
  readonly name: string
  run(cluster: Cluster): Promise<void>
}

const MOMENT_MS = 700
/** Is long enough for nodes, Redis and PostgreSQL's fan-out to notice the silence, and shorter than a transaction may take. */
const SILENCE_MS = 2_800
const LONGER_THAN_A_LEASE_MS = 6_000
/** The limit that server/store/postgres/transactions.ts sets. */
const TRANSACTION_LIMIT_MS = 10_000

export const processFaults: readonly ClusterFault[] = [
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
      await first!.server.kill()
      await sleep(MOMENT_MS)
      await first!.server.start()
    },
  },
  { name: 'PostgreSQL ends all sessions', run: (cluster) => cluster.endDatabaseSessions() },
  {
    name: 'Redis stands still',
    async run({ redis }) {
      redis.suspend()
      await sleep(SILENCE_MS)
      redis.resume()
    },
  },
  {
    name: 'every node is restarted in turn',
    async run({ nodes }) {
      for (const { server } of nodes) {
        await server.stop()
        await server.start()
      }
    },
  },
]

/** Happen to one of three nodes, or to all. */
export const nodeFaults: readonly ClusterFault[] = [
  {
    name: 'a node stands still for longer than its lease',
    async run({ nodes }) {
      const { pid } = nodes.at(-1)!.server
      process.kill(pid, 'SIGSTOP')
      await sleep(LONGER_THAN_A_LEASE_MS)
      process.kill(pid, 'SIGCONT')
    },
  },
  {
    name: 'all nodes and Redis are killed at once and started again',
    async run({ nodes, redis }) {
      await Promise.all([redis.kill(), ...nodes.map(({ server }) => server.kill())])
      await redis.start()
      await Promise.all(nodes.map(({ server }) => server.start()))
    },
  },
  { name: 'the log is locked', run: (cluster) => cluster.lockLog(SILENCE_MS) },
  ...nodeLinks.map((link) => ({
    name: `the link "${link}" of the last node is half open`,
    async run({ nodes }: Cluster) {
      const proxy = nodes.at(-1)!.links[link]
      proxy.makeHalfOpen()
      await sleep(SILENCE_MS)
      proxy.heal()
    },
  })),
]

interface LinkFault {
  readonly name: string
  readonly lastsMs: number
  begin(link: FaultProxy): void
}

const silence: LinkFault = {
  name: 'is silent',
  lastsMs: SILENCE_MS,
  begin: (link) => link.setFaults({ frozen: { up: true, down: true } }),
}

const waysToFail: readonly LinkFault[] = [
  { name: 'is cut', lastsMs: MOMENT_MS, begin: (link) => link.goOffline() },
  silence,
  {
    name: 'passes on no answers',
    lastsMs: SILENCE_MS,
    begin: (link) => link.setFaults({ frozen: { up: false, down: true } }),
  },
]

/** Each link fails in each way, at one node and the other in turn. */
export const linkFaults: readonly ClusterFault[] = [
  ...nodeLinks.flatMap((link, row) =>
    waysToFail.map((way, column) => failLink(link, (row + column) % 2, way)),
  ),
  failLink('database', 0, {
    ...silence,
    name: 'is silent until transactions are given up',
    lastsMs: TRANSACTION_LIMIT_MS + MOMENT_MS,
  }),
]

function failLink(link: NodeLink, side: number, { name, lastsMs, begin }: LinkFault): ClusterFault {
  return {
    name: `the link "${link}" of node ${side + 1} ${name}`,
    async run({ nodes }) {
      const proxy = nodes[side]!.links[link]
      begin(proxy)
      await sleep(lastsMs)
      proxy.heal()
    },
  }
}

/** A node loses its connection, or is killed, in the middle of a group commit. */
export const commitFaults: readonly ClusterFault[] = commitCuts.flatMap((how, index) => [
  {
    name: `node ${(index % 2) + 1} loses the answer ${how}`,
    async run({ nodes }) {
      const { commits } = nodes[index % 2]!
      const cutsBefore = commits.cuts
      commits.cutNextCommit(how)
      await waitUntil(() => commits.cuts > cutsBefore, 'a commit that is cut')
    },
  },
  {
    name: `node ${(index % 2) + 1} is killed ${how}`,
    async run({ nodes }) {
      const { commits, server } = nodes[index % 2]!
      await commits.stallNextCommit(how)
      await server.kill()
      await sleep(MOMENT_MS)
      await server.start()
    },
  },
])

export interface ClusterReport {
  readonly tokens: number
  readonly acknowledged: number
}

/** @throws {Error} with what happened, when the oracle finds a violation or the replicas do not converge. */
export async function writeThroughFaults(
  cluster: Cluster,
  faults: readonly ClusterFault[],
  seed = 1,
): Promise<ClusterReport> {
  const document = await createSharedDocument(cluster.origins.http)
  const createRandom = (name: string) => createSeededRandom(seed, name)
  // The balancer may leave a node without a session, and a fault waits for a commit there.
  const writersOfNodes = cluster.nodes.flatMap(({ server }, index) =>
    createDiptychWriters(
      server.origins,
      document,
      createRandom,
      [{ transport: 'websocket', scheme: 'http' }],
      {
        names: 'uvwxyz'.charAt(index),
      },
    ),
  )
  const writers = [...createFiveWriters(cluster.origins, document, createRandom), ...writersOfNodes]
  const steps: string[] = []
  return writeDuring(writers, {
    async act() {
      await writeSomeMore(writers)
      for (const { name, run } of faults) {
        steps.push(`${name}, at ${countAcknowledged(writers)} acknowledged`)
        await run(cluster)
        await writeSomeMore(writers)
        // The log is checked after each fault: a later compaction would hide an edit that stands there twice.
        await checkLog(cluster, document)
      }
    },
    async check() {
      const stored = await cluster.readStoredDocument(document.id)
      checkReplicasAndStore([...writers.map(({ doc }) => doc), stored], writers)
      await checkLog(cluster, document)
      return { tokens: countTokens(writers), acknowledged: countAcknowledged(writers) }
    },
    describe: () => [...steps, cluster.output],
  })
}

/** Commits text and its deletion on one node, whose answers are lost each time, while another node appends to the same log. */
export async function loseAnswersTo(cluster: Cluster, how: CommitCut): Promise<void> {
  const document = await createSharedDocument(cluster.origins.http)
  const [ada, bob] = cluster.nodes.map(
    ({ server }, index) =>
      createDiptychWriters(
        server.origins,
        document,
        (name) => createSeededRandom(1, name),
        [{ transport: 'websocket', scheme: 'http' }],
        { names: 'ab'.charAt(index) },
      )[0]!,
  ) as [DiptychWriter, DiptychWriter]
  const writers = [ada, bob]
  const { commits } = cluster.nodes[0]!
  const saveAll = () => Promise.all(writers.map((writer) => writer.waitForAcknowledgement()))
  try {
    await Promise.all(writers.map((writer) => writer.waitUntilSynced()))
    for (const edit of ['insertToken', 'insertToken', 'deleteToken', 'insertToken', 'deleteToken'] as const) {
      const cutsBefore = commits.cuts
      commits.cutNextCommit(how)
      ada[edit]()
      bob.insertToken()
      await saveAll()
      if (commits.cuts !== cutsBefore + 1) throw new Error(`the answer to ${edit} was not lost`)
    }
    await waitForConvergence(writers)
    checkReplicasAndStore([ada.doc, bob.doc, await cluster.readStoredDocument(document.id)], writers)
    await checkLog(cluster, document)
  } finally {
    await Promise.all(writers.map((writer) => writer.close()))
  }
}

async function checkLog(cluster: Cluster, { id }: SharedDocument): Promise<void> {
  const repeated = await cluster.findRepeatedEdits(id)
  if (repeated.length > 0) throw new Error(`in the log more than once: ${JSON.stringify(repeated)}`)
}

async function writeSomeMore(writers: readonly ChaosWriter[]): Promise<void> {
  const goal = countAcknowledged(writers) + 40
  await waitUntil(() => countAcknowledged(writers) >= goal, 'new acknowledgements')
}
