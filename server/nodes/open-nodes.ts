/** Opens what makes this server one node of several: messages between them, and its entry in the register. */
import type { Logger } from 'pino'
import { authorityFingerprint } from '../certificate.ts'
import type { Config } from '../config.ts'
import { FanoutCounts } from '../fanout/fanout-counts.ts'
import type { Fanout } from '../fanout/fanout.ts'
import { createLocalHub } from '../fanout/local.ts'
import { isLoopbackName } from '../loopback-name.ts'
import type { NodeMetricsSource } from '../metrics/metrics-registry.ts'
import { hostInUrl } from '../server-addresses.ts'
import { createNodeName, NodeRegister } from './node-register.ts'
import { type Nodes, soleNode } from './nodes.ts'

export interface NodeServices {
  readonly fanout: Fanout
  readonly nodes: Nodes
  /** See `NodeRegister`. */
  readonly whenIntroduced: Promise<void>
  /** Undefined for a server that can only be alone. */
  readonly metrics: NodeMetricsSource | undefined
  /** Says goodbye, and sends what was published before. */
  close(): Promise<void>
}

/**
 * @param secret What all nodes share, and nobody else knows.
 * @throws {Error} when Redis or PostgreSQL cannot be used: one sentence without secrets.
 */
export async function openNodes(config: Config, secret: Buffer, log: Logger): Promise<NodeServices> {
  if (config.databaseUrl === null) return openSoleNode()
  const self = createNodeName()
  const counts = new FanoutCounts()
  const fanout = await openFanout(config.databaseUrl, config.redisUrl, { node: self, secret, log, counts })
  const authority = await authorityFingerprint(config)
  const nodes = new NodeRegister({ fanout, self, address: addressFor(config, log), authority, log })
  log.info({ node: self }, 'this server is a node')
  return {
    fanout,
    nodes,
    whenIntroduced: nodes.whenIntroduced,
    metrics: { counts, status: () => fanout.status, nodeCount: () => nodes.others.length + 1 },
    async close() {
      await nodes.close()
      await fanout.close()
    },
  }
}

function openSoleNode(): NodeServices {
  const nodes = soleNode()
  const fanout = createLocalHub().join(nodes.self)
  return { fanout, nodes, whenIntroduced: Promise.resolve(), metrics: undefined, close: () => fanout.close() }
}

interface NodeFanoutOptions {
  readonly node: string
  readonly secret: Buffer
  readonly log: Logger
  readonly counts: FanoutCounts
}

/** Loads what is needed alone: a server on SQLite does without the libraries. */
async function openFanout(
  databaseUrl: string,
  redisUrl: string | null,
  options: NodeFanoutOptions,
): Promise<Fanout> {
  const { openPostgresFanout } = await import('../fanout/postgres.ts')
  const postgres = await openPostgresFanout({ url: databaseUrl, ...options })
  if (redisUrl === null) return postgres
  try {
    const { FallbackFanout } = await import('../fanout/fallback.ts')
    const { openRedisFanout } = await import('../fanout/redis.ts')
    const prefix = `diptych/${await readIdentity(databaseUrl)}/`
    const redis = await openRedisFanout({ url: redisUrl, prefix, ...options })
    return new FallbackFanout({ ...options, redis, postgres })
  } catch (error) {
    await postgres.close()
    throw error
  }
}

/** Names the database, whichever address it was reached by. */
async function readIdentity(databaseUrl: string): Promise<string> {
  const { endConnection, identityOf, openConnection } = await import('../store/postgres/connections.ts')
  const client = await openConnection({ url: databaseUrl }, () => {})
  try {
    return await identityOf(client)
  } finally {
    await endConnection(client)
  }
}

/** @returns '' when the settings do not say it. */
function addressFor({ nodeUrl, host, port }: Config, log: Logger): string {
  if (nodeUrl !== null) return nodeUrl
  if (isLoopbackName(hostInUrl(host))) return `http://${hostInUrl(host)}:${port}`
  log.info('NODE_URL is not set, so that other servers with this DATABASE_URL could not reach this one')
  return ''
}
