/** Waits longer than a lease while Redis is away: no node may be taken for dead. */
import { expect, test } from 'vitest'
import { waitUntil } from '../../lib/fixtures/wait.ts'
import { bytesOf, listenTo } from '../fanout/fanout.contract.ts'
import { nodesSecret } from '../fanout/fixtures/nodes-secret.ts'
import { describeRedis } from '../fanout/fixtures/describe-redis.ts'
import { type RedisServer, startRedisServer } from '../fanout/fixtures/redis-server.ts'
import { silentLogger } from '../fixtures/silent-logger.ts'
import { testConfig } from '../fixtures/test-server.ts'
import { leaseDatabase } from '../store/fixtures/postgres-databases.ts'
import { describePostgres } from '../store/fixtures/postgres-fixture.ts'
import { openNodes } from './open-nodes.ts'

const LONGER_THAN_A_LEASE_MS = 5_000

interface RedisFault {
  readonly name: string
  begin(redis: RedisServer): Promise<void>
  end(redis: RedisServer): Promise<void>
}

const faults: readonly RedisFault[] = [
  { name: 'is killed', begin: (redis) => redis.kill(), end: (redis) => redis.start() },
  { name: 'stands still', begin: async (redis) => redis.suspend(), end: async (redis) => redis.resume() },
]

describeRedis('when Redis is lost', () => {
  describePostgres('and PostgreSQL is there', () => {
    test.each(faults)('Redis $name: two nodes go on talking and keep each other', async ({ begin, end }) => {
      await using database = await leaseDatabase()
      await using redis = await startRedisServer()
      const config = testConfig('/nowhere', { DATABASE_URL: database.url, REDIS_URL: redis.url })
      const open = () => openNodes(config, nodesSecret, silentLogger)
      const services = [await open(), await open()]
      const [ada, bob] = services
      await waitUntil(() => services.every(({ nodes }) => nodes.others.length === 1))
      const gone: string[] = []
      for (const { nodes } of services) nodes.onGone((name) => gone.push(name))
      const listener = await listenTo(bob!.fanout, 't')
      await begin(redis)
      await waitUntil(() => services.every(({ fanout }) => fanout.status === 'degraded'))
      ada!.fanout.publish('t', bytesOf('by PostgreSQL'))
      await waitUntil(() => listener.messages.length === 1)
      await new Promise((resolve) => setTimeout(resolve, LONGER_THAN_A_LEASE_MS))
      await end(redis)
      await waitUntil(() => services.every(({ fanout }) => fanout.status === 'connected'))
      expect([gone, ada!.nodes.others.length, listener.interruptions > 0]).toEqual([[], 1, true])
      await Promise.all(services.map(({ close }) => close()))
    })
  })
})
