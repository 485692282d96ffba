/** Switches transports while writers type, over every transport there is. */
import { setTimeout as sleep } from 'node:timers/promises'
import { RealServer } from '../../server/fixtures/real-server.ts'
import { TransportError } from '../../lib/transports/transport.ts'
import { everyRoute, testedTransports } from '../fixtures/transport-routes.ts'
import { type SeededRandom, createSeededRandom } from '../../lib/fixtures/seeded-random.ts'
import { checkReplicasAndStore, countTokens, writeDuring } from '../fixtures/convergence.ts'
import { type DiptychWriter, createDiptychWriters } from '../fixtures/chaos-writers.ts'

const FLIP_MS = 200
const WRITERS = 5

export interface FlipsOptions {
  readonly seed: number
  readonly flips: number
}

export interface FlipsReport {
  readonly tokens: number
  /** The switches of each writer that waited for one flip before the next. */
  readonly switches: readonly number[]
  /** The longest time without any link, of each writer. */
  readonly gapsMs: readonly number[]
}

const flip = ({ window }: DiptychWriter, random: SeededRandom): Promise<void> =>
  window.switchTransport(random.pick(testedTransports.filter((id) => id !== window.status.get().choice)))

/**
 * Flips 200 ms after the last flip, or when that one is done on a slow machine. A flip whose link gets no answer in time leaves the
 * writer on its present link, and is repeated.
 */
async function flipRepeatedly(writer: DiptychWriter, flips: number, random: SeededRandom): Promise<void> {
  for (let done = 0; done < flips;) {
    const [isDone] = await Promise.all([
      flip(writer, random).then(() => true, isUnansweredSwitch),
      sleep(FLIP_MS),
    ])
    if (isDone) done += 1
  }
}

function isUnansweredSwitch(error: unknown): false {
  if (!(error instanceof TransportError) || error.reason.code !== 'timeout') throw error
  return false
}

/** Flips whether the last flip is done or not. Of several at once the last one counts; the others are given up. */
async function flipWithoutWaiting(writer: DiptychWriter, flips: number, random: SeededRandom): Promise<void> {
  for (let count = 0; count < 4 * flips; count++) {
    flip(writer, random).catch((error: unknown) => {
      if (!(error instanceof TransportError)) throw error
    })
    await sleep(FLIP_MS / 4)
  }
}

/** @throws {Error} with the seed, when the oracle finds a violation or the replicas do not converge. */
export async function flipUnderWriters({ seed, flips }: FlipsOptions): Promise<FlipsReport> {
  await using server = await RealServer.start()
  const document = await server.createDocument()
  const origins = { http: server.origin('http'), https: server.origin('https') }
  const random = (name: string): SeededRandom => createSeededRandom(seed, name)
  const routes = Array.from({ length: WRITERS }, (_, index) => everyRoute[index % everyRoute.length]!)
  const writers = createDiptychWriters(origins, document, random, routes)
  const [hastyWriter, ...steadyWriters] = writers as [DiptychWriter, ...DiptychWriter[]]
  const randomOfFlips = (writer: DiptychWriter): SeededRandom => random(`flips of ${writer.name}`)
  return await writeDuring(writers, {
    act: () =>
      Promise.all([
        flipWithoutWaiting(hastyWriter, flips, randomOfFlips(hastyWriter)),
        ...steadyWriters.map((writer) => flipRepeatedly(writer, flips, randomOfFlips(writer))),
      ]),
    async check() {
      const stats = writers.map(({ window }) => window.stats())
      await Promise.all(writers.map((writer) => writer.close()))
      await server.stop()
      const stored = await server.readStoredDocument(document.id)
      checkReplicasAndStore([...writers.map(({ doc }) => doc), stored], writers)
      return {
        tokens: countTokens(writers),
        switches: stats.slice(1).map(({ switches }) => switches),
        gapsMs: stats.map(({ longestGapMs }) => longestGapMs),
      }
    },
    describe: () => [`seed ${seed}`],
  })
}
