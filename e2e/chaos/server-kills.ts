/**
 * Kills the server by SIGKILL at random moments while five clients write, and restarts it; the clients reconnect by themselves.
 * Checks the folder after each kill, and everything at the end.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { createSharedDocument, type SharedDocument } from '../../server/fixtures/shared-document.ts'
import { KillableServer } from '../fixtures/killable-server.ts'
import { findViolations } from '../fixtures/oracle.ts'
import { type SeededRandom, createSeededRandom } from '../../lib/fixtures/seeded-random.ts'
import {
  checkReplicasAndStore,
  countAcknowledged,
  countTokens,
  ledgersOf,
  writeDuring,
} from '../fixtures/convergence.ts'
import { waitUntil } from '../../lib/fixtures/wait.ts'
import { createFiveWriters, DiptychWriter, type ChaosWriter } from '../fixtures/chaos-writers.ts'

export interface ServerKillsOptions {
  readonly seed: number
  readonly kills: number
  onStep?(step: string): void
}

export interface ServerKillsReport {
  readonly tokens: number
  readonly acknowledged: number
  /** Links that our own four clients opened. */
  readonly links: number
}

/** @throws {Error} with the seed and all steps, when the oracle finds a violation or the replicas do not converge. */
export async function killServerRepeatedly({
  seed,
  kills,
  onStep = () => {},
}: ServerKillsOptions): Promise<ServerKillsReport> {
  const steps: string[] = []
  const step = (text: string): void => {
    steps.push(text)
    onStep(text)
  }
  await using server = await KillableServer.start()
  const document = await createSharedDocument(server.origins.http)
  const writers = createFiveWriters(server.origins, document, (name) => createSeededRandom(seed, name))
  return await writeDuring(writers, {
    async act() {
      const random = createSeededRandom(seed, 'kills')
      for (let kill = 1; kill <= kills; kill++)
        step(`kill ${kill}: ${await killOnce(server, writers, document, random)}`)
      step('all write their last')
    },
    check: () => checkFinalState(server, writers, document),
    describe: () => [`seed ${seed}`, ...steps, server.output],
  })
}

async function killOnce(
  server: KillableServer,
  writers: readonly ChaosWriter[],
  document: SharedDocument,
  random: SeededRandom,
): Promise<string> {
  const acknowledgedGoal = countAcknowledged(writers) + random.between(1, 30)
  await waitUntil(async () => {
    await Promise.race(writers.map((writer) => rejectIfFailed(writer)))
    return countAcknowledged(writers) >= acknowledgedGoal
  }, 'new acknowledgements')
  const ms = random.between(0, 40)
  await sleep(ms)
  await server.kill()
  const acknowledgedBefore = countAcknowledged(writers)
  const storedDoc = await server.readStoredDocument(document.id)
  const violations = findViolations(storedDoc, ledgersOf(writers))
  if (violations.length > 0)
    throw new Error(`after a kill the store is wrong: ${violations.slice(0, 5).join('; ')}`)
  await sleep(random.pick([0, 0, random.between(0, 300)]))
  if (random.next() < 0.15) await server.startAndKill(random.between(0, 400))
  const disk = random.pick(['that is slow', 'as it is'] as const)
  await server.start(disk === 'that is slow' ? 'slow' : undefined)
  return `at ${acknowledgedBefore} acknowledged, ${ms} ms later; then a disk ${disk}`
}

async function checkFinalState(
  server: KillableServer,
  writers: readonly ChaosWriter[],
  document: SharedDocument,
): Promise<ServerKillsReport> {
  const diptychWriters = writers.filter((writer) => writer instanceof DiptychWriter)
  await server.kill()
  const stored = await server.readStoredDocument(document.id)
  checkReplicasAndStore([...writers.map(({ doc }) => doc), stored], writers)
  return {
    tokens: countTokens(writers),
    acknowledged: countAcknowledged(writers),
    links: diptychWriters.reduce((sum, { window }) => sum + window.stats().links, 0),
  }
}

/** Lets a writer that failed fail the run at once. */
const rejectIfFailed = (writer: ChaosWriter): Promise<void> =>
  Promise.race([writer.waitUntilStopped(), sleep(0)])
