import { expect, test } from 'vitest'
import { describeRedis } from '../../server/fanout/fixtures/describe-redis.ts'
import { describePostgres } from '../../server/store/fixtures/postgres-fixture.ts'
import { clusterFaults, writeThroughFaults } from './cluster-faults.ts'

const MINUTE_MS = 60_000

describeRedis('with Redis', () => {
  describePostgres('and PostgreSQL', () => {
    test(
      '[D10] five write through a balancer to two nodes, while Redis, PostgreSQL and nodes fail in turn',
      async () => {
        const report = await writeThroughFaults(clusterFaults)
        expect(report.acknowledged).toBe(report.tokens)
        expect(report.tokens).toBeGreaterThan(200)
      },
      6 * MINUTE_MS,
    )
  })
})
