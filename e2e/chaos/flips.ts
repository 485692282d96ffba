/** The transport flipped under writers, over every transport there is. */
import { RealServer } from '../../server/fixtures/real-server.ts'
import { TransportError } from '../../lib/transports/transport.ts'
import { everyWay, networkTransports } from './ways.ts'
import { type Random, randomOf } from './random.ts'
import { checkEverywhere, comeToRest } from './rest.ts'
import { type OurWriter, ourWriters, pause } from './writers.ts'

const FLIP_MS = 200
const WRITERS = 5

export interface FlipsOptions {
  readonly seed: number
  readonly flips: number
}

export interface FlipsReport {
  readonly tokens: number
  /** Of each writer whose flips each waited for the one before. */
  readonly switches: readonly number[]
  /** Longest time without any link, of each writer. */
  readonly gapsMs: readonly number[]
}

const flip = ({ window }: OurWriter, random: Random): Promise<void> =>
  window.switchTransport(random.pick(networkTransports.filter((id) => id !== window.status.get().choice)))

/**
 * The next flip comes 200 ms after the last, or when that is done on a slow machine. One whose link got no answer in time leaves the
 * writer on the link it has, and is made up for.
 */
async function flipOver(writer: OurWriter, flips: number, random: Random): Promise<void> {
  for (let done = 0; done < flips;) {
    const [isDone] = await Promise.all([flip(writer, random).then(() => true, unanswered), pause(FLIP_MS)])
    if (isDone) done += 1
  }
}

function unanswered(error: unknown): false {
  if (!(error instanceof TransportError) || error.reason.code !== 'timeout') throw error
  return false
}

/** The next comes whether the last is done or not. Of several at once the last one counts; the others are given up. */
async function flipHastily(writer: OurWriter, flips: number, random: Random): Promise<void> {
  for (let count = 0; count < 4 * flips; count++) {
    flip(writer, random).catch((error: unknown) => {
      if (!(error instanceof TransportError)) throw error
    })
    await pause(FLIP_MS / 4)
  }
}

/** @throws {Error} with the seed, when the oracle complains or nothing comes to rest. */
export async function flipUnderWriters({ seed, flips }: FlipsOptions): Promise<FlipsReport> {
  await using server = await RealServer.start()
  const document = await server.newDocument()
  const origins = { http: server.origin('http'), https: server.origin('https') }
  const random = (name: string): Random => randomOf(seed, name)
  const ways = Array.from({ length: WRITERS }, (_, index) => everyWay[index % everyWay.length]!)
  const writers = ourWriters(origins, document, random, ways)
  const stop = new AbortController()
  try {
    await Promise.all(writers.map((writer) => writer.ready()))
    for (const writer of writers) writer.start(stop.signal)
    const [hasty, ...steady] = writers as [OurWriter, ...OurWriter[]]
    const chance = (writer: OurWriter): Random => random(`flips of ${writer.name}`)
    await Promise.all([
      flipHastily(hasty, flips, chance(hasty)),
      ...steady.map((writer) => flipOver(writer, flips, chance(writer))),
    ])
    stop.abort()
    await comeToRest(writers)
    const stats = writers.map(({ window }) => window.stats())
    await Promise.all(writers.map((writer) => writer.close()))
    await server.stop()
    checkEverywhere([...writers.map(({ doc }) => doc), await server.stored(document.id)], writers)
    return {
      tokens: writers.reduce((sum, { ledger }) => sum + ledger.size, 0),
      switches: stats.slice(1).map(({ switches }) => switches),
      gapsMs: stats.map(({ longestGapMs }) => longestGapMs),
    }
  } catch (error) {
    throw new Error(`seed ${seed}: ${String(error)}`, { cause: error })
  } finally {
    stop.abort()
    await Promise.all(writers.map((writer) => writer.close()))
  }
}
