/** Nodes that are one service: they share a PostgreSQL and, where it is wanted, a Redis, both started for them. */
import { join } from 'node:path'
import { findFreePorts } from '../../server/fixtures/free-ports.ts'
import {
  type RedisServer,
  redisMissing,
  startRedisServer,
} from '../../server/fanout/fixtures/redis-server.ts'
import { postgresMissing, startPostgresCluster } from '../../server/store/fixtures/postgres-cluster.ts'
import type { Scope } from './context.ts'
import { cpuOfFamily, type Usage, usageOf } from './proc.ts'
import { folderIn } from './removable-folder.ts'
import type { ServerCommand, ServerProcess } from './server.ts'

export interface NodesOptions {
  readonly count: number
  /** Otherwise PostgreSQL carries what nodes tell each other. */
  readonly redis: boolean
}

/** As one server: its address is the first node's, what it uses is what all nodes use. */
export interface NodeGroup extends ServerProcess {
  readonly nodes: readonly ServerProcess[]
  /** To be read once the nodes have stopped. */
  readonly databaseUrl: string
  readonly redis: RedisServer | undefined
}

/** One process, or nodes. */
export type RunningServer = ServerProcess | NodeGroup

export const processesOf = (server: RunningServer): readonly ServerProcess[] =>
  'nodes' in server ? server.nodes : [server]

/** Why this machine cannot have such nodes, null where it can. */
export const nodesMissing = ({ redis }: NodesOptions): string | null =>
  postgresMissing ?? (redis ? redisMissing : null)

/** FHS wants it on a disk. Its name is short enough for a Unix socket, and PostgreSQL's own user can reach it. */
const DISK = '/var/tmp'

/** PostgreSQL and Redis have their own defaults, but that Redis stores nothing. */
export async function startNodes(
  scope: Scope,
  command: ServerCommand,
  { count, redis: wantsRedis }: NodesOptions,
): Promise<NodeGroup> {
  const { folder, remove } = folderIn(DISK)
  scope.defer(remove)
  const postgres = await startPostgresCluster(folder, {})
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
  // One after the other: the first makes the tables and the secret.
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
        cpuOfFamily(postgres.pid),
        redis && usageOf(redis.pid),
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

const sumOf = (all: readonly Usage[]): Usage => ({
  cpuMs: all.reduce((sum, { cpuMs }) => sum + cpuMs, 0),
  residentKiB: all.reduce((sum, { residentKiB }) => sum + residentKiB, 0),
})
