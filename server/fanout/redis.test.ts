import { createServer } from 'node:net'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { waitUntil } from '../../lib/fixtures/wait.ts'
import { FanoutCounts } from './fanout-counts.ts'
import { bytesOf, describeFanout, listenTo } from './fanout.contract.ts'
import { nodesSecret } from './fixtures/nodes-secret.ts'
import type { Fanout } from './fanout.ts'
import { describeRedis } from './fixtures/describe-redis.ts'
import { type RedisServer, startRedisServer } from './fixtures/redis-server.ts'
import { openRedisFanout, type RedisFanoutOptions } from './redis.ts'

describeRedis('Redis', () => {
  let shared: RedisServer
  let prefixes = 0
  beforeAll(async () => {
    shared = await startRedisServer()
  })
  afterAll(() => shared[Symbol.asyncDispose]())

  describeFanout(
    'by Redis',
    async () => {
      const prefix = `p${prefixes++}:`
      // Each node is a user of its own, so that Redis can end its connections alone.
      const urlOf = (node: string) => shared.url.replace('//', `//${node}:secret@`)
      return {
        async join(node) {
          await shared.run('ACL', 'SETUSER', node, 'on', '>secret', '+@all', '&*')
          return openRedisFanout({ url: urlOf(node), prefix, node, secret: nodesSecret })
        },
        cut: (node) => shared.run('CLIENT', 'KILL', 'USER', node),
        async [Symbol.asyncDispose]() {},
      }
    },
    { largestMessage: 2 ** 20 },
  )

  const fanouts: Fanout[] = []
  const open = async (options: Partial<RedisFanoutOptions> & { url: string }): Promise<Fanout> => {
    const fanout = await openRedisFanout({
      prefix: 'p:',
      node: `n${fanouts.length}`,
      secret: nodesSecret,
      ...options,
    })
    fanouts.push(fanout)
    return fanout
  }
  afterEach(async () => {
    await Promise.all(fanouts.splice(0).map((fanout) => fanout.close()))
  })
  const refusalOf = (url: string): Promise<string> =>
    open({ url }).then(
      () => 'it was opened',
      (error: Error) => error.message,
    )

  test('services with different prefixes do not hear each other', async () => {
    const [ada, bob, other] = [
      await open({ url: shared.url }),
      await open({ url: shared.url }),
      await open({ url: shared.url, prefix: 'q:' }),
    ]
    const [heard, unheard] = [await listenTo(bob, 't'), await listenTo(other, 't')]
    ada.publish('t', bytesOf('one'))
    await waitUntil(() => heard.messages.length === 1)
    expect(unheard.messages).toEqual([])
  })

  test('a message by a program without the nodes’ secret is not heard', async () => {
    const [ada, bob] = [await open({ url: shared.url }), await open({ url: shared.url })]
    const stranger = await open({ url: shared.url, secret: Buffer.alloc(32, 8) })
    const listener = await listenTo(bob, 't')
    stranger.publish('t', bytesOf('forged'))
    await shared.run('PUBLISH', 'p:t', 'rubbish')
    ada.publish('t', bytesOf('true'))
    await waitUntil(() => listener.messages.length > 0)
    expect(listener.messages).toEqual(['true'])
  })

  test('a Redis that was killed is heard again once it is back, and its subscribers are told', async () => {
    await using redis = await startRedisServer()
    const [ada, bob] = [await open({ url: redis.url }), await open({ url: redis.url })]
    const listener = await listenTo(bob, 't')
    await redis.kill()
    await waitUntil(() => ada.status === 'disconnected' && bob.status === 'disconnected')
    ada.publish('t', bytesOf('lost'))
    await redis.start()
    await waitUntil(() => listener.interruptions > 0 && ada.status === 'connected')
    ada.publish('t', bytesOf('after'))
    await waitUntil(() => listener.messages.length === 1)
    expect(listener.messages).toEqual(['after'])
  })

  test('a Redis that stands still is noticed, and holds no more bytes than the limit', async () => {
    await using redis = await startRedisServer()
    const counts = new FanoutCounts()
    const ada = await open({ url: redis.url, counts, maxWaitingBytes: 100_000 })
    const bob = await open({ url: redis.url })
    const listener = await listenTo(bob, 't')
    redis.suspend()
    for (let n = 0; n < 50; n++) ada.publish('t', new Uint8Array(10_000))
    expect(counts).toMatchObject({ published: 9, dropped: 41 })
    await waitUntil(() => ada.status === 'disconnected' && bob.status === 'disconnected')
    expect(counts.dropped).toBe(50)
    redis.resume()
    await waitUntil(() => ada.status === 'connected' && listener.interruptions > 0)
    const heard = listener.messages.length
    ada.publish('t', bytesOf('after'))
    await waitUntil(() => listener.messages.at(-1) === 'after')
    expect(listener.messages.length).toBe(heard + 1)
  })

  test('a Redis whose memory is full passes messages on', async () => {
    await using redis = await startRedisServer(['--maxmemory', '1mb', '--maxmemory-policy', 'noeviction'])
    await expect(redis.run('SET', 'key', 'x'.repeat(3_000_000))).rejects.toThrow('maxmemory')
    const [ada, bob] = [await open({ url: redis.url }), await open({ url: redis.url })]
    const listener = await listenTo(bob, 't')
    ada.publish('t', new Uint8Array(100_000))
    await waitUntil(() => listener.messages.length === 1)
  })

  test('a Redis that becomes a replica is left, and used again when it is a primary', async () => {
    await using redis = await startRedisServer()
    const ada = await open({ url: redis.url })
    await redis.run('REPLICAOF', '127.0.0.1', '1')
    await waitUntil(() => ada.status === 'disconnected')
    await redis.run('REPLICAOF', 'NO', 'ONE')
    await waitUntil(() => ada.status === 'connected')
  })

  test('user, password and number of the database are used', async () => {
    await using redis = await startRedisServer(['--requirepass', 'top/secret'])
    const url = redis.url.replace('//', '//default:top%2Fsecret@')
    const fanout = await open({ url: `${url}/3` })
    expect(fanout.status).toBe('connected')
  })

  test('what cannot be used is refused in one sentence without the password', async () => {
    await using redis = await startRedisServer(['--requirepass', 'right'])
    await using replica = await startRedisServer(['--replicaof', '127.0.0.1 1'])
    const address = (url: string) => url.replace('redis://', 'redis://someone:secret-word@')
    expect(await refusalOf(address(redis.url))).toBe(
      `Redis at ${redis.url} cannot be used: WRONGPASS invalid username-password pair or user is disabled.`,
    )
    expect(await refusalOf(redis.url)).toMatch(/^Redis at \S+ cannot be used: NOAUTH /)
    expect(await refusalOf(replica.url)).toBe(
      `Redis at ${replica.url} cannot be used: it is a read-only replica or a sentinel, which passes no messages on.`,
    )
    expect(await refusalOf(`${shared.url}/99`)).toMatch(/cannot be used: ERR DB index is out of range\.$/)
    expect(await refusalOf('redis://127.0.0.1:1')).toBe(
      'Redis at redis://127.0.0.1:1 cannot be used: connect ECONNREFUSED 127.0.0.1:1.',
    )
    expect(await refusalOf('redis://x:secret-word@nowhere.invalid')).toMatch(
      /^Redis at redis:\/\/nowhere\.invalid cannot be used: getaddrinfo /,
    )
    expect(await refusalOf(shared.url.replace('redis:', 'rediss:'))).toMatch(/cannot be used: /)
  })

  test('a program that listens there and never answers is refused, too', async () => {
    const silent = createServer().listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const { port } = silent.address() as AddressInfo
    expect(await refusalOf(`redis://127.0.0.1:${port}`)).toBe(
      `Redis at redis://127.0.0.1:${port} cannot be used: it has not answered for 3 s.`,
    )
    silent.close()
  })
})
