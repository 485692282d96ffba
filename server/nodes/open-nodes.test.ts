import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { waitUntil } from '../../lib/fixtures/wait.ts'
import type { Environment } from '../config.ts'
import { nodesSecret } from '../fanout/fixtures/nodes-secret.ts'
import { describeRedis } from '../fanout/fixtures/describe-redis.ts'
import { type RedisServer, startRedisServer } from '../fanout/fixtures/redis-server.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'
import { RealServer } from '../fixtures/real-server.ts'
import { silentLogger } from '../fixtures/silent-logger.ts'
import { testConfig } from '../fixtures/test-server.ts'
import { leaseDatabase, type TestDatabase } from '../store/fixtures/postgres-databases.ts'
import { describePostgres } from '../store/fixtures/postgres-fixture.ts'
import { type NodeServices, openNodes } from './open-nodes.ts'

test('a server on SQLite is the only node', async () => {
  const { fanout, nodes, metrics, close } = await openNodes(testConfig('/nowhere'), nodesSecret, silentLogger)
  expect([fanout.status, nodes.self, nodes.others, metrics]).toEqual(['connected', 'a', [], undefined])
  await close()
})

describePostgres('nodes of one service', () => {
  let database: TestDatabase
  const opened: NodeServices[] = []
  beforeEach(async () => {
    database = await leaseDatabase()
  })
  afterEach(async () => {
    await Promise.all(opened.splice(0).map(({ close }) => close()))
    await database[Symbol.asyncDispose]()
  })
  const open = async (environment: Environment): Promise<NodeServices> => {
    const config = testConfig('/nowhere', { DATABASE_URL: database.url, ...environment })
    const services = await openNodes(config, nodesSecret, silentLogger)
    opened.push(services)
    return services
  }
  const knowEachOther = (ada: NodeServices, bob: NodeServices) =>
    waitUntil(() => ada.nodes.find(bob.nodes.self) !== null && bob.nodes.find(ada.nodes.self) !== null)

  test('without Redis they know each other through PostgreSQL, and by which address', async () => {
    const ada = await open({ PORT: '4001' })
    const bob = await open({ NODE_URL: 'http://10.0.0.5:3000' })
    await knowEachOther(ada, bob)
    expect(ada.nodes.others).toEqual([{ name: bob.nodes.self, address: 'http://10.0.0.5:3000' }])
    expect(bob.nodes.others).toEqual([{ name: ada.nodes.self, address: 'http://127.0.0.1:4001' }])
    expect([ada.fanout.status, ada.metrics!.nodeCount()]).toEqual(['connected', 2])
  })

  describeRedis('with Redis', () => {
    let redis: RedisServer
    beforeEach(async () => {
      redis = await startRedisServer()
    })
    afterEach(() => redis[Symbol.asyncDispose]())

    test('they know each other, and no other database’s nodes', async () => {
      const [ada, bob] = [await open({ REDIS_URL: redis.url }), await open({ REDIS_URL: redis.url })]
      await using otherDatabase = await leaseDatabase()
      const stranger = await open({ REDIS_URL: redis.url, DATABASE_URL: otherDatabase.url })
      await knowEachOther(ada, bob)
      await stranger.fanout.subscribe('t', { onMessage: () => {}, onInterrupted: () => {} }).ready
      expect([ada.nodes.others.length, stranger.nodes.others]).toEqual([1, []])
    })

    test('a server says in its metrics what carries messages, lives on when Redis is gone, and ends in order', async () => {
      await using folder = await temporaryFolder()
      const SECRET_FILE = join(folder.path, 'secret')
      await writeFile(SECRET_FILE, nodesSecret.toString('base64url'))
      const environment = { DATABASE_URL: database.url, REDIS_URL: redis.url, SECRET_FILE }
      await using server = await RealServer.start({ environment })
      const metrics = async () => (await fetch(`${server.origin('http')}/metrics`)).text()
      expect(await metrics()).toContain('diptych_fanout{status="connected"} 1')
      expect(await metrics()).toContain('diptych_nodes 1')
      const other = await open({ REDIS_URL: redis.url })
      await waitUntil(() => other.nodes.others.length === 1)
      expect(other.nodes.others[0]!.address).toBe(server.origin('http').replace('localhost', '127.0.0.1'))
      await waitUntil(async () => (await metrics()).includes('diptych_nodes 2'))
      await redis.kill()
      await waitUntil(async () => (await metrics()).includes('diptych_fanout{status="degraded"} 1'))
      await server.createDocument()
      await server.stop()
      await waitUntil(() => other.nodes.others.length === 0)
    })

    test('a Redis that cannot be used at the start is one sentence, and leaves the database free', async () => {
      await using folder = await temporaryFolder()
      const SECRET_FILE = join(folder.path, 'secret')
      const start = (url: string) =>
        RealServer.start({ environment: { DATABASE_URL: database.url, REDIS_URL: url, SECRET_FILE } })
      await expect(start('redis://someone:secret-word@127.0.0.1:1')).rejects.toThrow(
        'Redis at redis://127.0.0.1:1 cannot be used: connect ECONNREFUSED 127.0.0.1:1.',
      )
      await using server = await start(redis.url)
      expect(server.origin('http')).toContain('localhost')
    })
  })
})
