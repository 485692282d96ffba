/**
 * An office behind one address: its people arrive within a minute as new guests, open the list and documents, write at their usual pace
 * in rooms of five to ten, and lose the network once, all at the same moment. The server has its defaults, and refuses nobody anything.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { createSeededRandom } from '../../lib/fixtures/seeded-random.ts'
import { readRefusals } from '../../server/fixtures/read-refusals.ts'
import { FaultyNetwork } from '../fixtures/faulty-network.ts'
import { KillableServer } from '../fixtures/killable-server.ts'
import { RequestWorker } from '../fixtures/worker-requests.ts'
import type { PersonPlan } from './fixtures/office-person.ts'
import type { OfficeRequest, OfficeTally } from './fixtures/office-thread.ts'

const THREADS = 2
/** Some have two rooms open. */
const PEOPLE_PER_ROOM_AT_LEAST = 5
const PEOPLE_PER_ROOM_AT_MOST = 10
/** One in so many people types without a rest. */
const PEOPLE_PER_TYPIST = 10
/** Everybody else is there by WebSocket. */
const rarerTransports = ['sse', 'stream', 'long-poll', 'poll', 'stock'] as const
const PEOPLE_PER_RARER_TRANSPORT = 20

export interface OfficeOptions {
  readonly seed: number
  readonly people: number
  /** All arrive within this time. */
  readonly arriveMs: number
  /** How long all write before the cut, and again after it. */
  readonly writeMs: number
  /** Whether they load pages, too, which must have been built. */
  readonly hasPages?: boolean
  onStep?(step: string): void
}

export interface OfficeReport extends OfficeTally {
  readonly rooms: number
  /** How long after the cut every window had saved a letter that was written behind it. */
  readonly backAfterMs: number
  /** By kind; empty when nobody was refused anything, nor had to wait for a limit. */
  readonly refusals: Readonly<Record<string, number>>
}

export async function runOffice(options: OfficeOptions): Promise<OfficeReport> {
  const { seed, arriveMs, writeMs, hasPages = false, onStep = () => {} } = options
  await using network = await FaultyNetwork.listen()
  const origin = network.origins.https
  await using server = await KillableServer.start({
    pages: hasPages,
    environment: { ALLOWED_ORIGINS: origin },
  })
  network.forwardTo(server)
  const parts = planOffice(options)
  const threads = parts.map(
    () => new RequestWorker<OfficeRequest>(new URL('fixtures/office-thread.ts', import.meta.url)),
  )
  const serverEnd = server.rejectOnEnd()
  serverEnd.catch(() => {}) // reported by the request that it interrupts
  const askEach = (requestOf: (part: readonly PersonPlan[]) => OfficeRequest) =>
    Promise.race([
      serverEnd,
      Promise.all(threads.map((thread, index) => thread.request(requestOf(parts[index]!)))),
    ])
  try {
    onStep(`${options.people} people arrive within ${arriveMs / 1000} s`)
    await askEach((people) => ({ type: 'open', place: { origin, hasPages }, seed, people }))
    await sleep(writeMs)
    onStep('the network is cut')
    network.forEachProxy((proxy) => proxy.cutConnections())
    const cutAt = performance.now()
    await askEach(() => ({ type: 'save' }))
    const backAfterMs = performance.now() - cutAt
    onStep(`all are back after ${(backAfterMs / 1000).toFixed(1)} s`)
    await sleep(writeMs)
    const tallies = (await askEach(() => ({ type: 'close' }))) as OfficeTally[]
    return {
      ...sumTallies(tallies),
      rooms: new Set(parts.flat().flatMap(({ rooms }) => rooms)).size,
      backAfterMs,
      refusals: await readRefusals(server.origin('http')),
    }
  } finally {
    await Promise.all(threads.map((thread) => thread.terminate()))
  }
}

/** Returns the people of each thread; those of a room are in one. */
function planOffice({ seed, people, arriveMs }: OfficeOptions): PersonPlan[][] {
  const random = createSeededRandom(seed, 'office')
  const perThread = Math.ceil(people / THREADS)
  return Array.from({ length: THREADS }, (_, thread) => {
    const first = thread * perThread
    const numbers = Array.from({ length: Math.min(perThread, people - first) }, (_person, at) => first + at)
    const rooms = planRooms(numbers, () => random.between(PEOPLE_PER_ROOM_AT_LEAST, PEOPLE_PER_ROOM_AT_MOST))
    return numbers.map((number) => ({
      number,
      rooms: rooms.get(number)!,
      transport: rarerTransports[number % PEOPLE_PER_RARER_TRANSPORT] ?? 'websocket',
      isTypist: number % PEOPLE_PER_TYPIST === PEOPLE_PER_TYPIST - 1,
      arrivesAfterMs: random.between(0, arriveMs),
    }))
  })
}

/** One in five owns a room. The others' places in it go to everybody in turn. @returns The rooms of each person. */
function planRooms(numbers: readonly number[], sizeOf: () => number): ReadonlyMap<number, number[]> {
  const rooms = new Map(numbers.map((number): [number, number[]] => [number, []]))
  const owners = numbers.slice(0, Math.ceil(numbers.length / PEOPLE_PER_ROOM_AT_LEAST))
  for (const owner of owners) rooms.get(owner)!.push(owner)
  let next = owners.length
  for (const owner of owners)
    for (let size = sizeOf(), place = 1; place < size; place++)
      rooms.get(numbers[next++ % numbers.length]!)!.push(owner)
  return rooms
}

const sumTallies = (tallies: readonly OfficeTally[]): OfficeTally => ({
  windows: tallies.reduce((sum, { windows }) => sum + windows, 0),
  requests: tallies.reduce((sum, { requests }) => sum + requests, 0),
  letters: tallies.reduce((sum, { letters }) => sum + letters, 0),
  savedAfterMs: tallies.flatMap(({ savedAfterMs }) => savedAfterMs),
  complaints: tallies.flatMap(({ complaints }) => complaints),
})
