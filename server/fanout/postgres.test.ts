import { afterEach, beforeEach, expect, test } from 'vitest'
import { waitUntil } from '../../lib/fixtures/wait.ts'
import { leaseDatabase, runInDatabase, type TestDatabase } from '../store/fixtures/postgres-databases.ts'
import { describePostgres } from '../store/fixtures/postgres-fixture.ts'
import { startPostgresProxy } from '../store/fixtures/postgres-proxy.ts'
import { FanoutCounts } from './fanout-counts.ts'
import { bytesOf, describeFanout, listenTo } from './fanout.contract.ts'
import { nodesSecret } from './fixtures/nodes-secret.ts'
import type { Fanout } from './fanout.ts'
import { openPostgresFanout, type PostgresFanoutOptions } from './postgres.ts'

describePostgres('PostgreSQL', () => {
  describeFanout(
    'by NOTIFY',
    async () => {
      const database = await leaseDatabase()
      return {
        join: (node) => openPostgresFanout({ url: withName(database.url, node), node, secret: nodesSecret }),
        cut: (node) => endConnections(database.url, node),
        [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
      }
    },
    { largestMessage: 5_900 },
  )

  let database: TestDatabase
  const fanouts: Fanout[] = []
  beforeEach(async () => {
    database = await leaseDatabase()
  })
  afterEach(async () => {
    await Promise.all(fanouts.splice(0).map((fanout) => fanout.close()))
    await database[Symbol.asyncDispose]()
  })
  const open = async (options: Partial<PostgresFanoutOptions> = {}): Promise<Fanout> => {
    const fanout = await openPostgresFanout({
      url: database.url,
      node: `n${fanouts.length}`,
      secret: nodesSecret,
      ...options,
    })
    fanouts.push(fanout)
    return fanout
  }

  test('in place of a message that is too long its brief is sent; without one it is lost, and others are told', async () => {
    const counts = new FanoutCounts()
    const [ada, bob] = [await open({ counts }), await open()]
    const listener = await listenTo(bob, 't')
    const tooLong = new Uint8Array(6_000)
    ada.publish('t', tooLong, bytesOf('brief'))
    ada.publish('t', tooLong)
    await waitUntil(() => listener.messages.length === 1 && listener.interruptions === 1)
    expect(listener.messages).toEqual(['brief'])
    expect(counts).toMatchObject({ published: 1, dropped: 1 })
  })

  test('a connection that stands still is noticed, and another takes its place', async () => {
    await using proxy = await startPostgresProxy(database.url)
    const [ada, bob] = [await open(), await open({ url: proxy.url })]
    const listener = await listenTo(bob, 't')
    proxy.freeze()
    await waitUntil(() => bob.status === 'disconnected')
    proxy.thaw()
    await waitUntil(() => listener.interruptions === 1)
    ada.publish('t', bytesOf('after'))
    await waitUntil(() => listener.messages.length === 1)
  })

  test('a database that cannot be used is refused in one sentence without the password', async () => {
    await expect(open({ url: 'postgres://me:secret-word@127.0.0.1:1/documents' })).rejects.toThrow(
      'Messages between nodes cannot pass through postgres://127.0.0.1:1/documents: connect ECONNREFUSED 127.0.0.1:1.',
    )
  })
})

/** Gives the connections of a node a name of their own. */
const withName = (url: string, node: string): string => `${url}&application_name=${node}`

const endConnections = (url: string, node: string): Promise<void> =>
  runInDatabase(
    url,
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = '${node}'`,
  )
