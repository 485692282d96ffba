/**
 * The server dies by SIGKILL at random moments while five write, and is started again; the clients come back by themselves.
 * After each death the folder as it was left is read, and at the end everything.
 */
import { makeDocument, type SharedDocument } from '../../server/fixtures/real-server.ts'
import { MortalServer } from '../support/mortal-server.ts'
import { complaints } from './oracle.ts'
import { type Random, randomOf } from './random.ts'
import {
  acknowledgedBy,
  checkEverywhere,
  comesToHold,
  comeToRest,
  describeWriter,
  ledgersOf,
} from './rest.ts'
import { fiveWriters, OurWriter, pause, type Writer } from './writers.ts'

const slowStore = import.meta.resolve('./slow-sqlite.ts')

export interface ChaosOptions {
  readonly seed: number
  readonly kills: number
  onStep?(step: string): void
}

export interface ChaosReport {
  readonly tokens: number
  readonly acknowledged: number
  /** Links opened by our own four clients. */
  readonly links: number
}

/** @throws {Error} with the seed and all steps, when the oracle complains or nothing comes to rest. */
export async function chaos({ seed, kills, onStep = () => {} }: ChaosOptions): Promise<ChaosReport> {
  const steps: string[] = []
  const step = (text: string): void => {
    steps.push(text)
    onStep(text)
  }
  await using server = await MortalServer.start()
  const document = await makeDocument(server.origins.http)
  const writers = fiveWriters(server.origins, document, (name) => randomOf(seed, name))
  const stop = new AbortController()
  try {
    await Promise.all(writers.map((writer) => writer.ready()))
    for (const writer of writers) writer.start(stop.signal)
    const random = randomOf(seed, 'kills')
    for (let kill = 1; kill <= kills; kill++)
      step(`kill ${kill}: ${await killOnce(server, writers, document, random)}`)
    stop.abort()
    return await finish(server, writers, document, step)
  } catch (error) {
    const told = [`seed ${seed}`, ...steps, ...writers.map(describeWriter), server.said].join('\n')
    throw new Error(`${String(error)}\n${told}`, { cause: error })
  } finally {
    stop.abort()
    await Promise.all(writers.map((writer) => writer.close()))
  }
}

async function killOnce(
  server: MortalServer,
  writers: readonly Writer[],
  document: SharedDocument,
  random: Random,
): Promise<string> {
  const goal = acknowledgedBy(writers) + random.between(1, 30)
  await comesToHold('new acknowledgements', async () => {
    await Promise.race(writers.map((writer) => rejection(writer)))
    return acknowledgedBy(writers) >= goal
  })
  const ms = random.between(0, 40)
  await pause(ms)
  await server.kill()
  const before = acknowledgedBy(writers)
  const copy = await server.stored(document.id)
  const wrong = complaints(copy, ledgersOf(writers))
  if (wrong.length > 0) throw new Error(`after a kill the store is wrong: ${wrong.slice(0, 5).join('; ')}`)
  await pause(random.pick([0, 0, random.between(0, 300)]))
  if (random.next() < 0.15) await server.startAndKill(random.between(0, 400))
  const disk = random.pick(['that is slow', 'as it is'] as const)
  await server.start(disk === 'that is slow' ? slowStore : undefined)
  return `at ${before} acknowledged, ${ms} ms later; then a disk ${disk}`
}

async function finish(
  server: MortalServer,
  writers: readonly Writer[],
  document: SharedDocument,
  step: (text: string) => void,
): Promise<ChaosReport> {
  step('all write their last')
  await comeToRest(writers)
  const ours = writers.filter((writer) => writer instanceof OurWriter)
  await server.kill()
  const stored = await server.stored(document.id)
  checkEverywhere([...writers.map(({ doc }) => doc), stored], writers)
  return {
    tokens: ledgersOf(writers).reduce((sum, ledger) => sum + ledger.size, 0),
    acknowledged: acknowledgedBy(writers),
    links: ours.reduce((sum, { window }) => sum + window.stats().links, 0),
  }
}

/** A writer that failed fails the run at once. */
const rejection = (writer: Writer): Promise<void> => Promise.race([writer.stopped(), pause(0)])
