import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeRedis } from '../../server/fanout/fixtures/describe-redis.ts'
import { describePostgres } from '../../server/store/fixtures/postgres-fixture.ts'
import { commitCuts } from '../../server/store/fixtures/postgres-proxy.ts'
import { Cluster } from '../fixtures/cluster.ts'
import {
  commitFaults,
  linkFaults,
  loseAnswersTo,
  processFaults,
  writeThroughFaults,
} from './cluster-faults.ts'

const MINUTE_MS = 60_000

describeRedis('with Redis', () => {
  describePostgres('and PostgreSQL', () => {
    let cluster: Cluster
    beforeAll(async () => {
      cluster = await Cluster.start(2)
    })
    afterAll(() => cluster[Symbol.asyncDispose]())

    test.each(commitCuts)(
      '[D2] text and its deletion, of which the answer is lost %s, are stored once while the other node appends',
      (how) => loseAnswersTo(cluster, how),
    )

    test.each([
      ['Redis, PostgreSQL and nodes fail in turn', processFaults],
      ['each link of a node is cut or silent', linkFaults],
      ['a node loses the answer to a group commit, or is killed in one', commitFaults],
    ] as const)(
      '[D10] five write through a balancer to two nodes: %s',
      async (_what, faults) => {
        const report = await writeThroughFaults(cluster, faults)
        expect(report.acknowledged).toBe(report.tokens)
        expect(report.tokens).toBeGreaterThan(200)
      },
      6 * MINUTE_MS,
    )
  })
})
