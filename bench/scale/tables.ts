/** The tables of docs/SCALE.md, which scale.test.ts compares with the page. */
import { type Capacity, COMMIT_SECONDS, coresOf, planCapacity, trafficOfDocument } from './capacity.ts'
import { costs } from './costs.ts'

const habits = {
  shareOnline: 0.1,
  shareWriting: 0.1,
  edits: 6,
  carets: 1,
  windowsPerDocument: 4,
  popularity: 0.5,
  shareByHttp: 0.1,
}

type Row = readonly string[]

/** Shows two digits, because more would promise too much. */
const rounded = (value: number): string => Number(value.toPrecision(2)).toLocaleString('en')

export const costRows: readonly Row[] = Object.entries(costs).map(([name, { value, unit, basis }]) => [
  name,
  `${value} ${unit}`,
  'file' in basis ? 'measured: OPERATIONS.md, Sizing' : `assumed: ${basis.assumed}`,
])

const sizes = [10_000, 100_000, 1_000_000]

export function planRows(): readonly Row[] {
  const atRandom = sizes.map((people) => planCapacity(people, habits, 'random'))
  const byDocument = sizes.map((people) => planCapacity(people, habits, 'by document'))
  const row = (name: string, value: (capacity: Capacity) => number, capacities = atRandom): Row => [
    name,
    ...capacities.map((capacity) => rounded(value(capacity))),
  ]
  const count = (name: string, capacities: readonly Capacity[]): Row => [
    name,
    ...capacities.map(({ nodes }) => String(nodes)),
  ]
  return [
    row('windows open', ({ windows }) => windows),
    row('edits a second', ({ traffic }) => traffic.edits),
    row('deliveries a second, carets among them', ({ traffic }) => traffic.deliveries),
    count('**nodes**', atRandom),
    row('a node: busy, of its core', ({ busyPerNode }) => busyPerNode),
    row('a node: MiB for connections', ({ memoryMiBPerNode }) => memoryMiBPerNode),
    row('a node: MB a second', ({ bytesPerNode }) => bytesPerNode / 1e6),
    row('edits taken in from other nodes a second', ({ traffic }) => traffic.remoteEdits),
    row('messages through Redis a second, in and out', ({ redisMessages }) => redisMessages),
    row('**Redis shards**', ({ redisShards }) => redisShards),
    row('commits a second', ({ commits }) => commits),
    row('PostgreSQL cores, busy', ({ databaseCores }) => databaseCores),
    row('**PostgreSQL partitions** of 8 cores', ({ databasePartitions }) => databasePartitions),
    row('PostgreSQL connections', ({ databaseConnections }) => databaseConnections),
    row('transactions met at a shared lock, each', ({ lockConflicts }) => lockConflicts),
    row('windows of the hottest document', ({ hottestWindows }) => hottestWindows),
    row('its cores, were it on one node', ({ hottestCores }) => hottestCores),
    count('nodes, each document on one', byDocument),
    row('messages through Redis, each document on one', ({ redisMessages }) => redisMessages, byDocument),
  ]
}

export const popularityRows = (): readonly Row[] =>
  [0, 0.5, 0.8, 1].map((popularity) => {
    const plan = planCapacity(100_000, { ...habits, popularity }, 'random')
    return [
      String(popularity),
      rounded(plan.hottestWindows),
      rounded(plan.hottestCores),
      String(plan.nodes),
      String(plan.redisShards),
    ]
  })

const hotDocuments = [
  { windows: 200, writers: 10 },
  { windows: 1_000, writers: 10 },
  { windows: 10_000, writers: 10 },
  { windows: 200, writers: 200 },
  { windows: 1_000, writers: 200 },
]
const nodeCounts = [1, 4, 16]

export const hotDocumentRows = (): readonly Row[] =>
  hotDocuments.map(({ windows, writers }) => {
    const traffics = nodeCounts.map((nodes) =>
      trafficOfDocument(windows, nodes, { ...habits, shareWriting: writers / windows }),
    )
    return [
      windows.toLocaleString('en'),
      String(writers),
      ...traffics.map((traffic, index) => rounded(coresOf(traffic) / nodeCounts[index]!)),
      ...traffics.map(({ batches }) => rounded(batches * COMMIT_SECONDS)),
    ]
  })
