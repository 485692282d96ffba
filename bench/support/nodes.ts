/** Starts nodes that are one service, with a PostgreSQL and, if wanted, a Redis of their own. */
import { join } from 'node:path'
import { findFreePorts } from '../../server/fixtures/free-ports.ts'
import {
  type RedisServer,
  redisMissing,
  startRedisServer,
} from '../../server/fanout/fixtures/redis-server.ts'
import { postgresMissing, startPostgresCluster } from '../../server/store/fixtures/postgres-cluster.ts'
import type { Scope } from './context.ts'
import { readFamilyCpu, type ProcessUsage, readUsage } from './process-usage.ts'
import { createRemovableFolder } from './removable-folder.ts'
import type { ServerCommand, ServerProcess } from './server.ts'

export interface NodesOptions {
  readonly count: number
  /** Redis carries the messages between nodes; otherwise PostgreSQL does. */
  readonly redis: boolean
}

/** Acts as one server: its address is the first node's, and its usage is the sum of all nodes. */
export interface NodeGroup extends ServerProcess {
  readonly nodes: readonly ServerProcess[]
  /** The database stays until the scope ends, so that it can be read once the nodes have stopped. */
  readonly databaseUrl: string
  readonly redis: RedisServer | undefined
}

export type RunningServer = ServerProcess | NodeGroup

export const processesOf = (server: RunningServer): readonly ServerProcess[] =>
  'nodes' in server ? server.nodes : [server]

/** Returns why this machine cannot run such nodes; null if it can. */
export const nodesMissing = ({ redis }: NodesOptions): string | null =>
  postgresMissing ?? (redis ? redisMissing : null)

/** By the Filesystem Hierarchy Standard it is on a disk. Its path is short enough for a Unix socket, and PostgreSQL's user can reach it. */
const DISK = '/var/tmp'

/** PostgreSQL and Redis run with their own defaults, except that Redis stores nothing. */
export async function startNodes(
  scope: Scope,
  command: ServerCommand,
  { count, redis: wantsRedis }: NodesOptions,
): Promise<NodeGroup> {
  const folder = createRemovableFolder(DISK)
  scope.defer(() => folder[Symbol.dispose]())
  const postgres = await startPostgresCluster(folder.path, {})
  scope.defer(async () => postgres[Symbol.asyncDispose]())
  await postgres.run('create database bench')
  const redis = wantsRedis ? await startRedisServer() : undefined
  if (redis) scope.defer(async () => redis[Symbol.asyncDispose]())
  const databaseUrl = postgres.urlOf('bench')
  const shared = {
    ...command.env,
    DATABASE_URL: databaseUrl,
    ...(redis && { REDIS_URL: redis.url }),
    SECRET_FILE: join(scope.folder, 'secret'),
  }
  const nodes: ServerProcess[] = []
  // Nodes start one after the other, because the first creates the tables and the secret.
  for (const port of await findFreePorts(count))
    nodes.push(await scope.startServer({ ...command, env: { ...shared, PORT: `${port}` } }))
  const [first] = nodes
  return {
    ...first!,
    get plainOrigin() {
      return first!.plainOrigin
    },
    nodes,
    databaseUrl,
    redis,
    async usage() {
      const [postgresCpuMs, redisUsage, ...own] = await Promise.all([
        readFamilyCpu(postgres.pid),
        redis && readUsage(redis.pid),
        ...nodes.map((node) => node.usage()),
      ])
      return {
        ...sumOf(own),
        besideCpuMs: { postgres: postgresCpuMs, ...(redisUsage && { redis: redisUsage.cpuMs }) },
      }
    },
    async stop(signal) {
      await Promise.all(nodes.map((node) => node.stop(signal)))
    },
  }
}

const sumOf = (all: readonly ProcessUsage[]): ProcessUsage => ({
  cpuMs: all.reduce((sum, { cpuMs }) => sum + cpuMs, 0),
  residentKiB: all.reduce((sum, { residentKiB }) => sum + residentKiB, 0),
})
