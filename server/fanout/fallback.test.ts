import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { settle, waitUntil } from '../../lib/fixtures/wait.ts'
import { ManualClock } from '../../lib/session/fixtures/manual-clock.ts'
import { leaseDatabase } from '../store/fixtures/postgres-databases.ts'
import { describePostgres } from '../store/fixtures/postgres-fixture.ts'
import { readCarrierNotice, writeCarrierNotice } from './carrier-notice.ts'
import { FallbackFanout } from './fallback.ts'
import { FanoutCounts } from './fanout-counts.ts'
import { bytesOf, describeFanout, type HeardMessages, listenTo } from './fanout.contract.ts'
import { nodesSecret } from './fixtures/nodes-secret.ts'
import type { Fanout } from './fanout.ts'
import { describeRedis } from './fixtures/describe-redis.ts'
import { startRedisServer } from './fixtures/redis-server.ts'
import { createLocalHub, type LocalHub } from './local.ts'
import { openPostgresFanout } from './postgres.ts'
import { openRedisFanout } from './redis.ts'

describe('Redis, and PostgreSQL in its place', () => {
  let redis: LocalHub
  let postgres: LocalHub
  let clock: ManualClock
  let notified: FanoutCounts
  const fanouts: Fanout[] = []
  const join = (node: string): Fanout => {
    const options = { node, clock }
    const fanout = new FallbackFanout({
      ...options,
      redis: redis.join(node, { clock }),
      postgres: postgres.join(node, { clock, counts: notified }),
    })
    fanouts.push(fanout)
    return fanout
  }
  const pass = async (ms: number): Promise<void> => {
    await settle(5)
    await clock.pass(ms)
    await settle(5)
  }
  beforeEach(() => {
    redis = createLocalHub()
    postgres = createLocalHub()
    clock = new ManualClock()
    notified = new FanoutCounts()
  })
  afterEach(() => Promise.all(fanouts.splice(0).map((fanout) => fanout.close())))

  const start = async (): Promise<{
    ada: Fanout
    bob: Fanout
    ofAda: HeardMessages
    ofBob: HeardMessages
  }> => {
    const [ada, bob] = [join('ada'), join('bob')]
    return { ada, bob, ofAda: await listenTo(ada, 't'), ofBob: await listenTo(bob, 't') }
  }
  const exchange = async (ada: Fanout, bob: Fanout): Promise<void> => {
    ada.publish('t', bytesOf('from ada'))
    bob.publish('t', bytesOf('from bob'))
    await settle(5)
  }

  test('both have Redis: nothing is sent by NOTIFY, whether PostgreSQL is there or not', async () => {
    const { ada, bob, ofAda, ofBob } = await start()
    await exchange(ada, bob)
    await pass(5_000)
    postgres.cut('ada')
    await exchange(ada, bob)
    expect([ofAda.messages, ofBob.messages]).toEqual([Array(2).fill('from bob'), Array(2).fill('from ada')])
    expect([notified.published, ada.status, bob.status]).toEqual([0, 'connected', 'connected'])
  })

  test('neither has Redis: PostgreSQL carries everything, once, and both are interrupted at each switch', async () => {
    const { ada, bob, ofAda, ofBob } = await start()
    redis.cut('ada')
    redis.cut('bob')
    expect([ada.status, bob.status]).toEqual(['degraded', 'degraded'])
    expect([ofAda.interruptions, ofBob.interruptions]).toEqual([1, 1])
    await exchange(ada, bob)
    expect([ofAda.messages, ofBob.messages]).toEqual([['from bob'], ['from ada']])
    await pass(5_000)
    const interruptions = [ofAda.interruptions, ofBob.interruptions]
    await pass(5_000)
    expect([ofAda.interruptions, ofBob.interruptions]).toEqual(interruptions)
    redis.heal('ada')
    redis.heal('bob')
    await pass(5_000)
    expect([ada.status, bob.status]).toEqual(['connected', 'connected'])
    expect([ofAda.interruptions, ofBob.interruptions]).toEqual(interruptions.map((count) => count + 1))
    notified.published = 0
    await exchange(ada, bob)
    await pass(5_000)
    expect([ofAda.messages.length, ofBob.messages.length, notified.published]).toEqual([2, 2, 0])
  })

  test('one has lost Redis: each hears the other, and both are interrupted after what may be lost', async () => {
    const { ada, bob, ofAda, ofBob } = await start()
    redis.cut('ada')
    bob.publish('t', bytesOf('too early'))
    expect(ofAda.interruptions).toBe(1)
    await pass(200)
    expect(ofAda.messages).toEqual([])
    expect([ofAda.interruptions, ofBob.interruptions]).toEqual([2, 1])
    await exchange(ada, bob)
    expect([ofAda.messages, ofBob.messages]).toEqual([['from bob'], ['from ada']])
    await pass(10_000)
    expect([ofAda.interruptions, ofBob.interruptions]).toEqual([2, 1])
    expect([ada.status, bob.status]).toEqual(['degraded', 'connected'])
  })

  test('a listener that subscribed while Redis was away is interrupted once it is back', async () => {
    const ada = join('ada')
    await settle(5)
    redis.cut('ada')
    const listener = await listenTo(ada, 't')
    await pass(5_000)
    expect(listener.interruptions).toBe(0)
    redis.heal('ada')
    await pass(5_000)
    expect([ada.status, listener.interruptions]).toEqual(['connected', 1])
  })

  test('a third node, which has both, hears each message once', async () => {
    const { ada, bob, ofAda } = await start()
    const cyd = join('cyd')
    const ofCyd = await listenTo(cyd, 't')
    redis.cut('ada')
    await pass(1_500)
    await exchange(ada, bob)
    expect([ofAda.messages, ofCyd.messages.toSorted()]).toEqual([['from bob'], ['from ada', 'from bob']])
  })

  test('once Redis is back, NOTIFY ends at once; or after 3 s when nobody says so', async () => {
    const { ada, bob } = await start()
    redis.cut('ada')
    await pass(1_500)
    redis.heal('ada')
    await pass(300)
    notified.published = 0
    await exchange(ada, bob)
    expect([ada.status, notified.published]).toEqual(['connected', 0])
    redis.cut('ada')
    await pass(1_500)
    await ada.close()
    await pass(4_500)
    notified.published = 0
    bob.publish('t', bytesOf('from bob'))
    await pass(2_000)
    expect(notified.published).toBe(0)
  })

  test('the other has no PostgreSQL for a while: once it is back, both are interrupted and hear each other', async () => {
    const { ada, bob, ofAda, ofBob } = await start()
    postgres.cut('bob')
    redis.cut('ada')
    await pass(3_000)
    await exchange(ada, bob)
    expect([ofAda.messages, ofBob.messages]).toEqual([[], []])
    const before = [ofAda.interruptions, ofBob.interruptions]
    postgres.heal('bob')
    await pass(3_000)
    expect(ofAda.interruptions).toBeGreaterThan(before[0]!)
    expect(ofBob.interruptions).toBeGreaterThan(before[1]!)
    await exchange(ada, bob)
    expect([ofAda.messages, ofBob.messages]).toEqual([['from bob'], ['from ada']])
  })

  test('the connection to PostgreSQL of whoever publishes by both breaks: the other is interrupted when it is back', async () => {
    const { ada, bob, ofAda } = await start()
    redis.cut('ada')
    await pass(1_500)
    const before = ofAda.interruptions
    postgres.cut('bob')
    bob.publish('t', bytesOf('lost'))
    await pass(500)
    expect([ofAda.interruptions, ofAda.messages]).toEqual([before, []])
    postgres.heal('bob')
    await pass(1_500)
    expect(ofAda.interruptions).toBeGreaterThan(before)
    await exchange(ada, bob)
    expect(ofAda.messages).toEqual(['from bob'])
  })

  test('a node that starts while another has lost Redis is heard by it', async () => {
    const ada = join('ada')
    const ofAda = await listenTo(ada, 't')
    redis.cut('ada')
    await pass(100)
    const before = ofAda.interruptions
    const bob = join('bob')
    bob.publish('t', bytesOf('too early'))
    await pass(1_500)
    expect(ofAda.interruptions).toBeGreaterThan(before)
    bob.publish('t', bytesOf('from bob'))
    await settle(5)
    expect(ofAda.messages).toEqual(['from bob'])
  })

  test('without either medium a message is lost, and the others are told once one is back', async () => {
    const { ada, ofBob } = await start()
    postgres.cut('ada')
    redis.cut('ada')
    expect(ada.status).toBe('disconnected')
    ada.publish('t', bytesOf('lost'))
    await settle(5)
    const before = ofBob.interruptions
    redis.heal('ada')
    await pass(3_000)
    expect(ofBob.interruptions).toBeGreaterThan(before)
  })

  test('a subscription is ready by PostgreSQL alone, and only while Redis is away', async () => {
    const { ada } = await start()
    redis.cut('ada')
    await listenTo(ada, 'u')
    postgres.cut('ada')
    let isReady = false
    void listenTo(ada, 'v').then(() => (isReady = true))
    await pass(1_000)
    expect(isReady).toBe(false)
    postgres.heal('ada')
    await pass(3_000)
    expect(isReady).toBe(true)
  })

  test('a notice is read as it was written, and another text is none', () => {
    const notice = { node: 'nabcdefgh', era: 3, isDegraded: true }
    expect(readCarrierNotice(writeCarrierNotice(notice))).toEqual(notice)
    for (const text of ['', 'null', '{}', '{"node":1,"era":1,"isDegraded":true}'])
      expect(readCarrierNotice(bytesOf(text))).toBe(null)
  })
})

describeRedis('with real servers', () => {
  describePostgres('Redis and PostgreSQL', () => {
    const createFixture = async () => {
      const [database, server] = [await leaseDatabase(), await startRedisServer()]
      return {
        server,
        join: async (node: string) =>
          new FallbackFanout({
            node,
            redis: await openRedisFanout({ url: server.url, prefix: 'p:', node, secret: nodesSecret }),
            postgres: await openPostgresFanout({ url: database.url, node, secret: nodesSecret }),
          }),
        async [Symbol.asyncDispose]() {
          await server[Symbol.asyncDispose]()
          await database[Symbol.asyncDispose]()
        },
      }
    }

    test('Redis is killed and started again while two nodes talk: each message arrives or is told to be missing', async () => {
      await using fixture = await createFixture()
      const [ada, bob] = [await fixture.join('ada'), await fixture.join('bob')]
      const listener = await listenTo(bob, 't')
      ada.publish('t', bytesOf('by Redis'))
      await waitUntil(() => listener.messages.length === 1)
      await fixture.server.kill()
      await waitUntil(() => ada.status === 'degraded' && bob.status === 'degraded')
      expect(listener.interruptions).toBeGreaterThan(0)
      ada.publish('t', bytesOf('by NOTIFY'))
      await waitUntil(() => listener.messages.length === 2)
      const before = listener.interruptions
      await fixture.server.start()
      await waitUntil(() => ada.status === 'connected' && bob.status === 'connected')
      await waitUntil(() => listener.interruptions > before)
      ada.publish('t', bytesOf('by Redis again'))
      await waitUntil(() => listener.messages.length === 3)
      expect(listener.messages).toEqual(['by Redis', 'by NOTIFY', 'by Redis again'])
      await Promise.all([ada.close(), bob.close()])
    })
  })
})

describeFanout(
  'by Redis or PostgreSQL, where both are cut at once',
  async () => {
    const [redis, postgres] = [createLocalHub(), createLocalHub()]
    return {
      join: async (node) =>
        new FallbackFanout({ node, redis: redis.join(node), postgres: postgres.join(node) }),
      async cut(node) {
        postgres.cut(node)
        redis.cut(node)
        redis.heal(node)
        await settle(20)
        postgres.heal(node)
      },
      async [Symbol.asyncDispose]() {},
    }
  },
  { largestMessage: 2 ** 20, hasSwitch: true },
)
