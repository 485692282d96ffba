/**
 * Calculates what a number of people costs a service of several nodes. Windows are placed on nodes at random, as a balancer without
 * stickiness does, so the windows of a document on one node are a Poisson number. It knows means, not peaks: simulation.ts counts.
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
  /** How often another node takes in an edit. */
  'remoteEdits',
] as const
type TrafficName = (typeof trafficNames)[number]

/** All of them a second, on all nodes together. */
export type Traffic = Readonly<Record<TrafficName, number>>

export const toTraffic = (value: (name: TrafficName) => number): Traffic =>
  Object.fromEntries(trafficNames.map((name) => [name, value(name)])) as Traffic

/** docs/OPERATIONS.md, Sizing: a node's one core is planned to be busy for 0.6 s a second. */
export const BUSY_SHARE = 0.6
const DATABASE_CORES = 8
/** `PART_LOCKS` in server/store/postgres/document-log.ts. */
const PART_LOCKS = 1024
/** One is the lock of the database, seven are beside it. */
const CONNECTIONS_PER_NODE = 8
/** A node says each second that it lives, and every 100 ms at most what limits it took from. */
const NODE_MESSAGES = 11

export const COMMIT_SECONDS = costs['the time of a commit'].value / 1000

/** How many windows each document has, on average, the most popular one first. */
export function popularities(windows: number, documents: number, exponent: number): number[] {
  const weights = Array.from({ length: documents }, (_, index) => (index + 1) ** -exponent)
  const sum = weights.reduce((total, weight) => total + weight, 0)
  return weights.map((weight) => (windows * weight) / sum)
}

/** Batches a second, where `edits` a second come at random times, and those within `seconds` of a batch wait for the next one. */
export const batchRate = (edits: number, seconds: number): number =>
  edits === 0 ? 0 : 1 / (seconds + Math.exp(-edits * seconds) / edits)

/** A second after a batch the room sends the number of its last one; the next batch begins that anew. */
const headRate = (batches: number): number => batches / (1 + batches)

export const batchSeconds = (members: number): number => Math.max(COMMIT_SECONDS, pauseMsFor(members) / 1000)

/** The mean of `value(count)` where the count is Poisson's. Of many the mean count stands for all. */
function poissonMean(mean: number, value: (count: number) => number): number {
  if (mean > 500) return value(mean)
  let [share, sum] = [Math.exp(-mean), 0]
  for (let count = 0; count < mean + 8 * Math.sqrt(mean) + 8; share *= mean / ++count)
    sum += share * value(count)
  return sum
}

type Writing = Pick<Habits, 'shareWriting' | 'edits' | 'carets'>

/** @param windows The mean of this document's windows. @param nodes Among how many nodes they are spread. */
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

/** Cores of all nodes together. */
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
  /** How many windows the most popular document has. */
  readonly hottestWindows: number
  /** Cores that it would need on one node. */
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
  /** How many other nodes' transactions a transaction meets at a lock that its documents share with theirs by chance. */
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

/** With each node that is added the nodes send each other more, so it counts again until all fits. */
export function planCapacity(people: number, habits: Habits, placement: Placement): Capacity {
  let capacity = capacityOf(people, habits, placement, 1)
  while (capacity.busyPerNode > BUSY_SHARE) {
    const nodes = Math.ceil((capacity.busyPerNode * capacity.nodes) / BUSY_SHARE)
    capacity = capacityOf(people, habits, placement, Math.max(nodes, capacity.nodes + 1))
  }
  return capacity
}
