/** Writers on every way to a real server while faults happen, and the oracle afterwards. */
import type * as Y from 'yjs'
import type { RealServer, Scheme, SharedDocument, Way } from '../../server/fixtures/real-server.ts'
import { randomOf } from '../chaos/random.ts'
import { checkEverywhere, comesToHold, comeToRest, describeWriter } from '../chaos/rest.ts'
import { type OurWriter, ourWriters } from '../chaos/writers.ts'
import { everyWay } from '../chaos/ways.ts'
import { FaultProxy } from '../support/fault-proxy.ts'

export type Origins = Readonly<Record<Scheme, string>>

/** A TCP proxy before each of the server's ports. */
export class FaultyNetwork implements AsyncDisposable {
  readonly origins: Origins
  readonly proxies: readonly FaultProxy[]

  static async before(server: RealServer): Promise<FaultyNetwork> {
    const [http, https] = await Promise.all([FaultProxy.listen(), FaultProxy.listen()])
    http.targetPort = Number(new URL(server.origin('http')).port)
    https.targetPort = Number(new URL(server.origin('https')).port)
    return new FaultyNetwork(http, https)
  }

  private constructor(http: FaultProxy, https: FaultProxy) {
    this.proxies = [http, https]
    this.origins = { http: `http://localhost:${http.port}`, https: `https://localhost:${https.port}` }
  }

  each(act: (proxy: FaultProxy) => void): void {
    for (const proxy of this.proxies) act(proxy)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.proxies.map((proxy) => proxy.close()))
  }
}

interface StoppableServer {
  origin(scheme: Scheme): string
  stop(): Promise<void>
  /** What it would load now. */
  stored(document: string): Promise<Y.Doc>
}

export interface Scene {
  readonly server: StoppableServer
  readonly document: SharedDocument
  /** Where the faults are. */
  readonly origins: Origins
  readonly ways?: readonly Way[]
  readonly seed?: number
  /** The longest pause between two edits of one writer. */
  readonly thinkingMs?: number
}

/**
 * All write from before `faults` to after it, beside one whose way has no fault. Then all is acknowledged and the oracle asked,
 * of every replica and of the store. Stops the server.
 *
 * @throws {Error} with the seed and what became of each writer.
 */
export async function endure(scene: Scene, faults: (writers: OurWriter[]) => Promise<void>): Promise<void> {
  const { server, document, seed = 1 } = scene
  const writers = open(scene)
  const stop = new AbortController()
  try {
    await Promise.all(writers.map((writer) => writer.ready()))
    for (const writer of writers) writer.start(stop.signal)
    await faults(writers)
    stop.abort()
    await comeToRest(writers)
    await Promise.all(writers.map((writer) => writer.close()))
    await server.stop()
    checkEverywhere([...writers.map(({ doc }) => doc), await server.stored(document.id)], writers)
  } catch (error) {
    const told = [`seed ${seed}`, ...writers.map(describeWriter)].join('\n')
    throw new Error(`${String(error)}\n${told}`, { cause: error })
  } finally {
    stop.abort()
    await Promise.all(writers.map((writer) => writer.close()))
  }
}

function open({ server, document, origins, ways = everyWay, seed = 1, thinkingMs }: Scene): OurWriter[] {
  const random = (name: string) => randomOf(seed, name)
  const thinking = thinkingMs === undefined ? {} : { thinkingMs }
  const straight = { http: server.origin('http'), https: server.origin('https') }
  const steady = ourWriters(straight, document, random, ways.slice(0, 1), { names: 'z' })
  return [...ourWriters(origins, document, random, ways, thinking), ...steady]
}

/** Every writer has had so many more edits acknowledged. */
export async function everybodyGetsOn(writers: readonly OurWriter[], edits: number): Promise<void> {
  const goals = writers.map(({ acknowledged }) => acknowledged + edits)
  const lacking = () => writers.filter(({ acknowledged }, index) => acknowledged < goals[index]!)
  await comesToHold('everybody to get on', () => lacking().length === 0)
}
