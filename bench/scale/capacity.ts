/**
 * Calculates what a service of several nodes needs for a number of people. Windows are placed on nodes at random, as a balancer without
 * stickiness does, so that the number of a document's windows on one node is Poisson's. It knows means and no peaks, which simulation.ts
 * has.
 */
import { pauseMsFor } from '../../server/rooms/batch-pacing.ts'
import { type CostName, costs } from './costs.ts'

export interface Habits {
  readonly shareOnline: number
  /** The share of people online who write. */
  readonly shareWriting: number
  /** How many edits one writer makes a second. */
  readonly edits: number
  /** Caret moves for each edit. */
  readonly carets: number
  readonly windowsPerDocument: number
  /** The exponent of Zipf's law: 0 makes all documents equally popular. */
  readonly popularity: number
  readonly shareByHttp: number
}

/** On which nodes a document's windows are: on any of them, or, by a balancer that knows documents, all on one. */
export type Placement = 'random' | 'by document'

const trafficNames = [
  'edits',
  'deliveries',
  'batches',
  'heads',
  'published',
  'received',
  /** The edits that other nodes receive. */
  'remoteEdits',
] as const
type TrafficName = (typeof trafficNames)[number]

/** The numbers a second, on all nodes together. */
export type Traffic = Readonly<Record<TrafficName, number>>

export const toTraffic = (value: (name: TrafficName) => number): Traffic =>
  Object.fromEntries(trafficNames.map((name) => [name, value(name)])) as Traffic

/** docs/OPERATIONS.md, Sizing: a node's one core is planned to be busy for 0.6 s a second. */
export const BUSY_SHARE = 0.6
const DATABASE_CORES = 8
/** `PART_LOCKS` in server/store/postgres/document-log.ts. */
const PART_LOCKS = 1024
/** One holds the lock of the database, three are of the search, and seven do the rest. */
const CONNECTIONS_PER_NODE = 11
/** A node sends a heartbeat each second, and at most every 100 ms which rate limits it counted. */
const NODE_MESSAGES = 11

export const COMMIT_SECONDS = costs['the time of a commit'].value / 1000

/** Returns the mean number of windows of each document, the most popular one first. */
export function popularities(windows: number, documents: number, exponent: number): number[] {
  const weights = Array.from({ length: documents }, (_, index) => (index + 1) ** -exponent)
  const sum = weights.reduce((total, weight) => total + weight, 0)
  return weights.map((weight) => (windows * weight) / sum)
}

/** Returns the batches a second when `edits` a second come at random times, and those within `seconds` of a batch wait for the next one. */
export const batchRate = (edits: number, seconds: number): number =>
  edits === 0 ? 0 : 1 / (seconds + Math.exp(-edits * seconds) / edits)

/** A room sends the number of its last batch once no batch has followed it for a second. */
const headRate = (batches: number): number => batches / (1 + batches)

export const batchSeconds = (members: number): number => Math.max(COMMIT_SECONDS, pauseMsFor(members) / 1000)

/** Returns the mean of `value(count)` for a Poisson count. For a large mean it takes the value of the mean itself. */
function poissonMean(mean: number, value: (count: number) => number): number {
  if (mean > 500) return value(mean)
  let [share, sum] = [Math.exp(-mean), 0]
  for (let count = 0; count < mean + 8 * Math.sqrt(mean) + 8; share *= mean / ++count)
    sum += share * value(count)
  return sum
}

type Writing = Pick<Habits, 'shareWriting' | 'edits' | 'carets'>

/** @param windows The mean number of the document's windows. @param nodes The number of nodes over which they are spread. */
export function trafficOfDocument(windows: number, nodes: number, habits: Writing): Traffic {
  const here = windows / nodes
  const editors = here * habits.shareWriting
  const pause = batchSeconds(here)
  const edits = windows * habits.shareWriting * habits.edits
  const batches = nodes * poissonMean(editors, (count) => batchRate(count * habits.edits, pause))
  const heads = nodes * poissonMean(editors, (count) => headRate(batchRate(count * habits.edits, pause)))
  const others = (nodes - 1) * (1 - Math.exp(-here))
  const published = batches + heads + habits.carets * edits
  return {
    edits,
    deliveries: (1 + habits.carets) * edits * windows,
    batches,
    heads,
    published,
    received: published * others,
    remoteEdits: edits * others,
  }
}

export function trafficOf(documents: readonly number[], nodes: number, habits: Writing): Traffic {
  const all = documents.map((windows) => trafficOfDocument(windows, nodes, habits))
  return toTraffic((name) => all.reduce((sum, traffic) => sum + traffic[name], 0))
}

const cores = (counts: Partial<Record<CostName, number>>): number =>
  Object.entries(counts).reduce((sum, [name, count]) => sum + count * costs[name as CostName].value, 0) / 1e6

/** Returns the cores that all nodes need together. */
export const coresOf = (traffic: Traffic, { forwarded = 0, nodeMessages = 0 } = {}): number =>
  cores({
    'an edit': traffic.edits,
    'a delivery': traffic.deliveries,
    'an edit from another node': traffic.remoteEdits,
    'a message to or from Redis': traffic.published + traffic.received + nodeMessages,
    'a forwarded request': forwarded,
  })

export interface Capacity {
  readonly windows: number
  /** The number of windows of the most popular document. */
  readonly hottestWindows: number
  /** The cores that this document would need on one node. */
  readonly hottestCores: number
  readonly nodes: number
  readonly traffic: Traffic
  readonly memoryMiBPerNode: number
  /** The share of the one core that runs sessions. */
  readonly busyPerNode: number
  readonly bytesPerNode: number
  readonly redisMessages: number
  readonly redisShards: number
  readonly commits: number
  /** The number of other nodes' transactions that a transaction meets at a lock, which its documents share with theirs by chance. */
  readonly lockConflicts: number
  readonly databaseCores: number
  readonly databasePartitions: number
  readonly databaseConnections: number
}

function capacityOf(people: number, habits: Habits, placement: Placement, nodes: number): Capacity {
  const windows = people * habits.shareOnline
  const documents = popularities(windows, Math.ceil(windows / habits.windowsPerDocument), habits.popularity)
  const traffic = trafficOf(documents, placement === 'random' ? nodes : 1, habits)
  const forwarded = (traffic.edits * habits.shareByHttp * (nodes - 1)) / nodes
  const editsPerNode = traffic.edits / nodes
  const commitsPerNode = batchRate(editsPerNode, COMMIT_SECONDS)
  const editsPerCommit = editsPerNode / commitsPerNode
  const nodeMessages = NODE_MESSAGES * nodes ** 2
  const redisMessages = traffic.published + traffic.received + nodeMessages
  const databaseCores = cores({
    'an edit in PostgreSQL': traffic.edits,
    'a commit in PostgreSQL': commitsPerNode * nodes,
  })
  const kib =
    habits.shareByHttp * costs['a window by HTTP'].value +
    (1 - habits.shareByHttp) * costs['a window by WebSocket with TLS'].value
  return {
    windows,
    hottestWindows: documents[0]!,
    hottestCores: coresOf(trafficOfDocument(documents[0]!, 1, habits)),
    nodes,
    traffic,
    memoryMiBPerNode: (windows * kib) / nodes / 1024,
    busyPerNode: coresOf(traffic, { forwarded, nodeMessages }) / nodes,
    bytesPerNode: ((traffic.deliveries + traffic.received) * costs['the bytes of a message'].value) / nodes,
    redisMessages,
    redisShards: Math.ceil(cores({ 'a message through Redis': redisMessages }) / BUSY_SHARE),
    commits: commitsPerNode * nodes,
    lockConflicts: ((nodes - 1) * commitsPerNode * COMMIT_SECONDS * editsPerCommit ** 2) / PART_LOCKS,
    databaseCores,
    databasePartitions: Math.ceil(databaseCores / BUSY_SHARE / DATABASE_CORES),
    databaseConnections: nodes * CONNECTIONS_PER_NODE,
  }
}

/** Adds nodes until all fits: with each more node, the nodes send each other more. */
export function planCapacity(people: number, habits: Habits, placement: Placement): Capacity {
  let capacity = capacityOf(people, habits, placement, 1)
  while (capacity.busyPerNode > BUSY_SHARE) {
    const nodes = Math.ceil((capacity.busyPerNode * capacity.nodes) / BUSY_SHARE)
    capacity = capacityOf(people, habits, placement, Math.max(nodes, capacity.nodes + 1))
  }
  return capacity
}
