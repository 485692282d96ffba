/** Measures when each letter of one writer is saved, and when it arrives at a reader of each node. */
import { setTimeout as sleep } from 'node:timers/promises'
import { encodeLetter, readLetters } from './letter-updates.ts'
import type { CrowdConnection, CrowdListener } from './crowd-protocol.ts'
import { type CrowdProtocolName, crowdProtocols } from './crowd-protocols.ts'

export interface LetterTimes {
  /** The ms from when the letter was due until its writer received the acknowledgement. */
  readonly saved: number
  /** The ms until the reader of each origin received it, in the order of the origins. */
  readonly arrived: readonly number[]
}

interface HopOptions {
  readonly protocol: CrowdProtocolName
  /** The writer connects to the first. */
  readonly origins: readonly string[]
  readonly document: string
  readonly token: string
}

interface HopLoad {
  readonly letters: number
  readonly intervalMs: number
  readonly signal: AbortSignal
}

/** Is as wide as the ids that Yjs makes. */
const WRITER = 3_000_000_000
const POLL_MS = 5

/** @throws {Error} when a connection ends, or the signal aborts. */
export async function measureNodeHops(
  { protocol, origins, document, token }: HopOptions,
  { letters, intervalMs, signal }: HopLoad,
): Promise<LetterTimes[]> {
  const ended = Promise.withResolvers<never>()
  ended.promise.catch(() => {}) // a connection may end before anybody waits for it
  await using connections = new AsyncDisposableStack()
  const open = async (origin: string, author: number, listener: CrowdListener): Promise<CrowdConnection> => {
    const connection = await crowdProtocols[protocol].open(
      origin,
      { document, token, author },
      { ...listener, onClosed: (why) => ended.reject(new Error(`A connection ended: ${why}`)) },
    )
    connections.defer(() => connection.close())
    return connection
  }

  const saved: number[] = []
  const writer = await open(origins[0]!, WRITER, {
    onAcknowledged(count) {
      while (saved.length < count) saved.push(performance.now())
    },
  })
  /** The moment of each letter's arrival, by its clock, for each reader. */
  const arrived = origins.map(() => new Map<number, number>())
  for (const [index, origin] of origins.entries())
    await open(origin, WRITER + 1 + index, {
      onUpdate: (update) =>
        readLetters(update, (_author, clock, length) => {
          for (let each = clock; each < clock + length; each++) arrived[index]!.set(each, performance.now())
        }),
    })

  const startAt = performance.now()
  const dueAt = (clock: number): number => startAt + clock * intervalMs
  const isDone = (): boolean => saved.length >= letters && arrived.every(({ size }) => size >= letters)
  const writeLetters = async (): Promise<void> => {
    for (let clock = 0; clock < letters; clock++) {
      await sleep(Math.max(0, dueAt(clock) - performance.now()), undefined, { signal })
      writer.sendEdit(encodeLetter(WRITER, clock))
    }
    while (!isDone()) await sleep(POLL_MS, undefined, { signal })
  }
  await Promise.race([writeLetters(), ended.promise])
  return saved.map((at, clock) => ({
    saved: at - dueAt(clock),
    arrived: arrived.map((times) => times.get(clock)! - dueAt(clock)),
  }))
}
