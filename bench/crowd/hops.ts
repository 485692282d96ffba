/** One writer, and readers at several nodes: when each of its letters came where. */
import { setTimeout as sleep } from 'node:timers/promises'
import { letter, readLetters } from './letters.ts'
import type { CrowdListener } from './protocol.ts'
import { type CrowdProtocolName, crowdProtocols } from './protocols.ts'

export interface LetterTimes {
  /** In ms from when the letter was due until its writer knows that it is saved. */
  readonly saved: number
  /** Until it was at the reader of each origin, in their order. */
  readonly arrived: readonly number[]
}

interface HopOptions {
  readonly protocol: CrowdProtocolName
  /** The writer is at the first. */
  readonly origins: readonly string[]
  readonly document: string
  readonly token: string
}

interface HopLoad {
  readonly letters: number
  readonly intervalMs: number
  readonly signal: AbortSignal
}

/** Yjs’s client ids are as wide. */
const WRITER = 3_000_000_000
const LOOK_MS = 5

/** @throws {Error} when a connection ends, or the signal aborts. */
export async function watchHops(
  { protocol, origins, document, token }: HopOptions,
  { letters, intervalMs, signal }: HopLoad,
): Promise<LetterTimes[]> {
  const ended = Promise.withResolvers<never>()
  ended.promise.catch(() => {}) // a connection may end before all are open, when nobody waits for this yet
  const open = (origin: string, author: number, listener: CrowdListener) =>
    crowdProtocols[protocol].open(
      origin,
      { document, token, author },
      { ...listener, onClosed: (why) => ended.reject(new Error(`A connection ended: ${why}`)) },
    )
  const saved: number[] = []
  /** A reader notes here when each letter came, by the letter's clock. */
  const arrived = origins.map(() => new Map<number, number>())
  const openReader = (origin: string, index: number) =>
    open(origin, WRITER + 1 + index, {
      onUpdate: (update) =>
        readLetters(update, (_author, clock, length) => {
          for (let each = clock; each < clock + length; each++) arrived[index]!.set(each, performance.now())
        }),
    })
  const openWriter = () =>
    open(origins[0]!, WRITER, {
      onAcknowledged(count) {
        while (saved.length < count) saved.push(performance.now())
      },
    })
  const opening = [openWriter(), ...origins.map(openReader)]
  const closeAll = async (): Promise<void> => {
    for (const opened of await Promise.allSettled(opening))
      if (opened.status === 'fulfilled') opened.value.close()
  }

  let startAt = 0
  const dueAt = (clock: number): number => startAt + clock * intervalMs
  const isDone = (): boolean => saved.length >= letters && arrived.every(({ size }) => size >= letters)
  const run = async (): Promise<void> => {
    const [writer] = await Promise.all(opening)
    startAt = performance.now()
    for (let clock = 0; clock < letters; clock++) {
      await sleep(Math.max(0, dueAt(clock) - performance.now()), undefined, { signal })
      writer!.sendEdit(letter(WRITER, clock))
    }
    while (!isDone()) await sleep(LOOK_MS, undefined, { signal })
  }
  try {
    await Promise.race([run(), ended.promise])
  } finally {
    await closeAll()
  }
  return saved.map((at, clock) => ({
    saved: at - dueAt(clock),
    arrived: arrived.map((times) => times.get(clock)! - dueAt(clock)),
  }))
}
