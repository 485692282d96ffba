/** Places windows on nodes at random, lets them write for some seconds, and counts one by one what capacity.ts calculates. */
import { batchSeconds, COMMIT_SECONDS, type Habits, type Traffic } from './capacity.ts'

/** What is counted begins later than the writing, when some batches and heads are on their way. */
const WARM_UP_SECONDS = 2

export interface SimulationOptions {
  readonly seed: number
  readonly seconds: number
  readonly nodes: number
  /** How likely each document is the one of a window. */
  readonly weights: readonly number[]
  readonly windows: number
  readonly habits: Pick<Habits, 'shareWriting' | 'edits' | 'carets'>
}

export interface SimulationResult {
  /** A second, as in the model. */
  readonly traffic: Traffic
  readonly commits: number
  readonly editsByNode: readonly number[]
}

interface SimulatedRoom {
  members: number
  batchAt: number
  headAt: number
}

interface SimulatedWindow {
  readonly document: number
  readonly node: number
}

export function simulate(options: SimulationOptions): SimulationResult {
  const { nodes, seconds, habits } = options
  const random = createRandom(options.seed)
  const windows = placeWindows(options, random)
  const rooms = openRooms(windows, random)
  const commitAt = Array.from({ length: nodes }, () => -Infinity)
  const editsByNode = Array.from({ length: nodes }, () => 0)
  const counts = noTraffic()
  let commits = 0
  let isWarm = false

  const publish = (others: number): void => {
    counts.published += 1
    for (let node = 0; node < others; node++) counts.received += 1
  }
  /** An edit goes with the batch that waits, if there is one; else with a new one, when the room may begin it. */
  const addToBatch = (room: SimulatedRoom, at: number, others: number): void => {
    if (at <= room.batchAt) return
    room.batchAt = Math.max(at, room.batchAt + batchSeconds(room.members))
    counts.batches += 1
    publish(others)
    if (room.batchAt < room.headAt) return
    room.headAt = room.batchAt + 1
    counts.heads += 1
    publish(others)
  }
  const addToCommit = (node: number, at: number): void => {
    if (at <= commitAt[node]!) return
    commitAt[node] = Math.max(at, commitAt[node]! + COMMIT_SECONDS)
    commits += 1
  }

  const writers = windows.filter(() => random() < habits.shareWriting)
  for (const { at, window } of writeEdits(writers, habits.edits, seconds, random)) {
    if (!isWarm && at >= 0) {
      isWarm = true
      Object.assign(counts, noTraffic())
      commits = 0
      editsByNode.fill(0)
    }
    const roomsOfDocument = rooms.get(window.document)!
    const others = roomsOfDocument.size - 1
    counts.edits += 1
    editsByNode[window.node]! += 1
    for (const room of roomsOfDocument.values()) counts.deliveries += (1 + habits.carets) * room.members
    counts.deliveries -= 1 + habits.carets // The author gets none.
    counts.remoteEdits += others
    for (let caret = 0; caret < habits.carets; caret++) publish(others)
    addToBatch(roomsOfDocument.get(window.node)!, at, others)
    addToCommit(window.node, at)
  }
  const traffic = Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, count / seconds]))
  return { traffic: traffic as unknown as Traffic, commits: commits / seconds, editsByNode }
}

const noTraffic = () => ({
  edits: 0,
  deliveries: 0,
  batches: 0,
  heads: 0,
  published: 0,
  received: 0,
  remoteEdits: 0,
})

function placeWindows({ weights, windows, nodes }: SimulationOptions, random: () => number) {
  const sum = weights.reduce((total, weight) => total + weight, 0)
  return Array.from({ length: windows }, (): SimulatedWindow => {
    let rest = random() * sum
    const document = weights.findIndex((weight) => (rest -= weight) < 0)
    return { document, node: Math.floor(random() * nodes) }
  })
}

/** By document, and by node within it. Each is at another point of the second in which it sends no head. */
function openRooms(
  windows: readonly SimulatedWindow[],
  random: () => number,
): Map<number, Map<number, SimulatedRoom>> {
  const rooms = new Map<number, Map<number, SimulatedRoom>>()
  for (const { document, node } of windows) {
    const ofDocument = rooms.get(document) ?? new Map<number, SimulatedRoom>()
    rooms.set(document, ofDocument)
    const room = ofDocument.get(node) ?? {
      members: 0,
      batchAt: -Infinity,
      headAt: random() - WARM_UP_SECONDS,
    }
    ofDocument.set(node, room)
    room.members += 1
  }
  return rooms
}

/** Each writer's edits come at random times. */
function writeEdits(
  writers: readonly SimulatedWindow[],
  rate: number,
  seconds: number,
  random: () => number,
): { at: number; window: SimulatedWindow }[] {
  const edits = writers.flatMap((window) => {
    const own: { at: number; window: SimulatedWindow }[] = []
    for (let at = -WARM_UP_SECONDS; (at -= Math.log(1 - random()) / rate) < seconds;) own.push({ at, window })
    return own
  })
  return edits.sort((a, b) => a.at - b.at)
}

/** Mulberry32: a seed gives the same numbers each time. */
const createRandom = (seed: number) => (): number => {
  seed = (seed + 0x6d2b79f5) | 0
  let bits = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits
  return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32
}
