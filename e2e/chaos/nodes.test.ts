/** `npm run chaos -- nodes` sets CHAOS_SEED and CHAOS_FAULTS. */
import { expect, test } from 'vitest'
import { createSeededRandom } from '../../lib/fixtures/seeded-random.ts'
import { describeRedis } from '../../server/fanout/fixtures/describe-redis.ts'
import { describePostgres } from '../../server/store/fixtures/postgres-fixture.ts'
import { Cluster } from '../fixtures/cluster.ts'
import { commitFaults, linkFaults, nodeFaults, processFaults, writeThroughFaults } from './cluster-faults.ts'

const NODES = 3
const seed = Number(process.env['CHAOS_SEED'] ?? 1)
const count = Number(process.env['CHAOS_FAULTS'] ?? 5)
/** No fault and what follows it takes a tenth of it. */
const MS_PER_FAULT = 10 * 60_000

/** Returns all faults in a random order, again and again. */
function pickFaults() {
  const random = createSeededRandom(seed, 'faults')
  const classes = [...processFaults, ...nodeFaults, ...linkFaults, ...commitFaults]
  const rounds = Array.from({ length: Math.ceil(count / classes.length) }, () =>
    classes
      .map((fault) => ({ fault, order: random.next() }))
      .sort((a, b) => a.order - b.order)
      .map(({ fault }) => fault),
  )
  return rounds.flat().slice(0, count)
}

describeRedis('with Redis', () => {
  describePostgres('and PostgreSQL', () => {
    test(
      `[D10] five write through a balancer and one at each of ${NODES} nodes: of ${count} faults of every class none loses or doubles anything`,
      async () => {
        await using cluster = await Cluster.start(NODES)
        const faults = pickFaults()
        const { tokens, acknowledged } = await writeThroughFaults(cluster, faults, seed)
        const classCount = new Set(faults).size
        process.stdout.write(
          `${count} faults of ${classCount} classes; ${tokens} tokens, ${acknowledged} acknowledged\n`,
        )
        expect(acknowledged).toBe(tokens)
      },
      count * MS_PER_FAULT,
    )
  })
})
