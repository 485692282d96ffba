/** Runs writers on every route to a real server while faults happen, and the oracle afterwards. */
import type * as Y from 'yjs'
import type { RealServer, Scheme, SharedDocument, TransportRoute } from '../../server/fixtures/real-server.ts'
import { createSeededRandom } from '../chaos/seeded-random.ts'
import {
  checkReplicasAndStore,
  waitUntilTrue,
  waitForConvergence,
  describeWriter,
} from '../chaos/convergence.ts'
import { type DiptychWriter, createDiptychWriters } from '../chaos/chaos-writers.ts'
import { everyRoute } from '../chaos/transport-routes.ts'
import { FaultProxy } from '../support/fault-proxy.ts'

export type SchemeOrigins = Readonly<Record<Scheme, string>>

/** Puts a TCP proxy before each of the server's ports. */
export class FaultyNetwork implements AsyncDisposable {
  readonly origins: SchemeOrigins
  readonly proxies: readonly FaultProxy[]

  static async startBefore(server: RealServer): Promise<FaultyNetwork> {
    const [http, https] = await Promise.all([FaultProxy.listen(), FaultProxy.listen()])
    http.targetPort = Number(new URL(server.origin('http')).port)
    https.targetPort = Number(new URL(server.origin('https')).port)
    return new FaultyNetwork(http, https)
  }

  private constructor(http: FaultProxy, https: FaultProxy) {
    this.proxies = [http, https]
    this.origins = { http: `http://localhost:${http.port}`, https: `https://localhost:${https.port}` }
  }

  forEachProxy(run: (proxy: FaultProxy) => void): void {
    for (const proxy of this.proxies) run(proxy)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.proxies.map((proxy) => proxy.close()))
  }
}

interface StoppableServer {
  origin(scheme: Scheme): string
  stop(): Promise<void>
  /** Returns what the server would load now. */
  readStoredDocument(document: string): Promise<Y.Doc>
}

export interface FaultScenario {
  readonly server: StoppableServer
  readonly document: SharedDocument
  /** The origins behind which the faults happen. */
  readonly origins: SchemeOrigins
  readonly routes?: readonly TransportRoute[]
  readonly seed?: number
  /** The longest pause between two edits of one writer. */
  readonly thinkingMs?: number
}

/**
 * Lets all writers write from before `causeFaults` until after it, beside one writer whose route has no fault. Then waits until all
 * is saved, and runs the oracle over every replica and the store. Stops the server.
 *
 * @throws {Error} with the seed and the state of each writer.
 */
export async function runUnderFaults(
  scenario: FaultScenario,
  causeFaults: (writers: DiptychWriter[]) => Promise<void>,
): Promise<void> {
  const { server, document, seed = 1 } = scenario
  const writers = openWriters(scenario)
  const stop = new AbortController()
  try {
    await Promise.all(writers.map((writer) => writer.waitUntilSynced()))
    for (const writer of writers) writer.start(stop.signal)
    await causeFaults(writers)
    stop.abort()
    await waitForConvergence(writers)
    await Promise.all(writers.map((writer) => writer.close()))
    await server.stop()
    checkReplicasAndStore(
      [...writers.map(({ doc }) => doc), await server.readStoredDocument(document.id)],
      writers,
    )
  } catch (error) {
    const details = [`seed ${seed}`, ...writers.map(describeWriter)].join('\n')
    throw new Error(`${String(error)}\n${details}`, { cause: error })
  } finally {
    stop.abort()
    await Promise.all(writers.map((writer) => writer.close()))
  }
}

function openWriters({
  server,
  document,
  origins,
  routes = everyRoute,
  seed = 1,
  thinkingMs: maxPauseMs,
}: FaultScenario): DiptychWriter[] {
  const createRandom = (name: string) => createSeededRandom(seed, name)
  const pauseOptions = maxPauseMs === undefined ? {} : { thinkingMs: maxPauseMs }
  const directOrigins = { http: server.origin('http'), https: server.origin('https') }
  const directWriters = createDiptychWriters(directOrigins, document, createRandom, routes.slice(0, 1), {
    names: 'z',
  })
  return [...createDiptychWriters(origins, document, createRandom, routes, pauseOptions), ...directWriters]
}

/** Waits until every writer has had so many more edits acknowledged. */
export async function waitForAcknowledgedEdits(
  writers: readonly DiptychWriter[],
  edits: number,
): Promise<void> {
  const acknowledgedGoals = writers.map(({ acknowledgedCount }) => acknowledgedCount + edits)
  const waitingWriters = () =>
    writers.filter(({ acknowledgedCount }, index) => acknowledgedCount < acknowledgedGoals[index]!)
  await waitUntilTrue('everybody to get on', () => waitingWriters().length === 0)
}
