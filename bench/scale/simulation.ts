/** Places windows on nodes at random, lets them write for some seconds, and counts event by event what capacity.ts calculates. */
import { createSeededRandom } from '../../lib/fixtures/seeded-random.ts'
import { batchSeconds, COMMIT_SECONDS, type Habits, toTraffic, type Traffic } from './capacity.ts'

/** The time before 0, when counting begins, so that some batches and heads are then on their way. */
const WARM_UP_SECONDS = 2

export interface SimulationOptions {
  readonly seed: number
  readonly seconds: number
  readonly nodes: number
  /** The weight of each document when a window chooses one. */
  readonly weights: readonly number[]
  readonly windows: number
  readonly habits: Pick<Habits, 'shareWriting' | 'edits' | 'carets'>
}

export interface SimulationResult {
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
  const random = createSeededRandom(options.seed).next
  const windows = placeWindows(options, random)
  const rooms = openRooms(windows, random)
  const writers = windows.filter(() => random() < habits.shareWriting)
  const commitAt = Array.from({ length: nodes }, () => -Infinity)
  const editsByNode = Array.from({ length: nodes }, () => 0)
  const counts = { ...toTraffic(() => 0), commits: 0 }

  for (const { at, window } of writeEdits(writers, habits.edits, seconds, random)) {
    const { document, node } = window
    const roomsOfDocument = rooms.get(document)!
    const room = roomsOfDocument.get(node)!
    const otherNodes = [...roomsOfDocument.keys()].filter((other) => other !== node)
    const count = (name: keyof typeof counts, by = 1): void => void (at >= 0 && (counts[name] += by))
    const publish = (): void => {
      count('published')
      for (const _node of otherNodes) count('received')
    }

    count('edits')
    if (at >= 0) editsByNode[node]! += 1
    for (const { members } of roomsOfDocument.values()) count('deliveries', (1 + habits.carets) * members)
    count('deliveries', -1 - habits.carets) // the author receives none
    for (const _node of otherNodes) count('remoteEdits')
    for (let caret = 0; caret < habits.carets; caret++) publish()

    // An edit joins the commit and the batch that wait; if none waits, it begins the next one as soon as that may begin.
    if (at > commitAt[node]!) {
      commitAt[node] = Math.max(at, commitAt[node]! + COMMIT_SECONDS)
      count('commits')
    }
    if (at <= room.batchAt) continue
    room.batchAt = Math.max(at, room.batchAt + batchSeconds(room.members))
    count('batches')
    publish()
    if (room.batchAt < room.headAt) continue
    room.headAt = room.batchAt + 1
    count('heads')
    publish()
  }
  return {
    traffic: toTraffic((name) => counts[name] / seconds),
    commits: counts.commits / seconds,
    editsByNode,
  }
}

function placeWindows({ weights, windows, nodes }: SimulationOptions, random: () => number) {
  const sum = weights.reduce((total, weight) => total + weight, 0)
  return Array.from({ length: windows }, (): SimulatedWindow => {
    let rest = random() * sum
    const document = weights.findIndex((weight) => (rest -= weight) < 0)
    return { document, node: Math.floor(random() * nodes) }
  })
}

/** Returns the rooms by document and node. They start at different points of the second after which a room sends its head. */
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

/** Returns all writers' edits, which come at random times, in order. */
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
