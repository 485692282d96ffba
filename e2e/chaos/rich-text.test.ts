import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'vitest'
import type { OpenDocument } from '../../lib/client.ts'
import { RealServer, type TransportRoute } from '../../server/fixtures/real-server.ts'
import { openSharedDocument, type SharedDocument } from '../../server/fixtures/shared-document.ts'
import { WrittenTokens, TokenWriter } from '../../server/sessions/fixtures/token-writers.ts'
import { FaultProxy } from '../fixtures/fault-proxy.ts'
import { haveEqualState } from '../fixtures/oracle.ts'
import { type SeededRandom, createSeededRandom } from '../../lib/fixtures/seeded-random.ts'
import { waitUntil } from '../../lib/fixtures/wait.ts'
import { everyRoute } from '../fixtures/transport-routes.ts'

const names = ['ada', 'bob', 'cleo', 'dan', 'eve']
const ROUNDS = 200
/** Per cent, for each round and writer. */
const DISCONNECT_PERCENT = 2
const MAX_JITTER_MS = 15

/** Seeds that found a fault are kept here. */
const savedSeeds: readonly number[] = []
const firstSeed = Number(process.env.CHAOS_SEED ?? crypto.getRandomValues(new Uint32Array(1))[0])
/** New seeds, as many as CHAOS_RUNS asks for. */
const freshSeeds = Array.from(
  { length: Number(process.env.CHAOS_RUNS ?? 1) },
  (_, index) => firstSeed + index,
)

interface ProxiedWriterOptions {
  readonly server: RealServer
  readonly document: SharedDocument
  readonly route: TransportRoute
  readonly tokens: WrittenTokens
  readonly random: SeededRandom
}

/** A writer of rich text behind its own proxy. */
class ProxiedWriter implements AsyncDisposable {
  readonly name: string
  readonly window: OpenDocument
  readonly #writer: TokenWriter
  readonly #random: SeededRandom
  readonly #proxy: FaultProxy

  static async open(name: string, options: ProxiedWriterOptions): Promise<ProxiedWriter> {
    const proxy = await FaultProxy.listen()
    proxy.targetPort = Number(new URL(options.server.origin(options.route.scheme)).port)
    proxy.setFaults({ jitterMs: MAX_JITTER_MS })
    return new ProxiedWriter(name, options, proxy)
  }

  private constructor(
    name: string,
    { document, route, tokens, random }: ProxiedWriterOptions,
    proxy: FaultProxy,
  ) {
    const url = `${route.scheme}://localhost:${proxy.port}`
    this.name = name
    this.window = openSharedDocument(url, document, route.transport)
    this.#writer = new TokenWriter(name, this.window, tokens, () => random.next())
    this.#random = random
    this.#proxy = proxy
  }

  editOnce(): string {
    const operation = this.#random.pick(['insert', 'insert', 'insert', 'delete', 'format'] as const)
    this.#writer[operation]()
    if (this.#random.between(1, 100) > DISCONNECT_PERCENT) return `${this.name} ${operation}`
    this.#proxy.cutConnections()
    return `${this.name} ${operation}, cut`
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.window.close()
    await this.#proxy.close()
  }
}

test.each([...savedSeeds, ...freshSeeds])(
  '[S1] [S3] five writers of rich text at the same positions, 200 rounds over sockets with cuts and jitter, seed %d',
  async (seed) => {
    await using server = await RealServer.start()
    await using stack = new AsyncDisposableStack()
    const document = await server.createDocument()
    const tokens = new WrittenTokens()
    const writers: ProxiedWriter[] = []
    for (const [index, name] of names.entries()) {
      const route = everyRoute[(2 * index) % everyRoute.length]!
      const options = { server, document, route, tokens, random: createSeededRandom(seed, name) }
      writers.push(stack.use(await ProxiedWriter.open(name, options)))
    }
    await Promise.all(writers.map(({ window }) => window.whenSynced))
    const steps: string[] = []
    try {
      for (let round = 0; round < ROUNDS; round++) {
        steps.push(...writers.map((writer) => writer.editOnce()))
        await sleep(createSeededRandom(seed, String(round)).between(0, MAX_JITTER_MS))
      }
      await Promise.all(writers.map(({ window }) => window.whenSaved()))
      const docs = writers.map(({ window }) => window.doc)
      await waitUntil(() => docs.every((doc) => haveEqualState(doc, docs[0]!)), 'equality of all replicas')
      await stack.disposeAsync()
      await server.stop()
      const replicas = Object.fromEntries(writers.map(({ name, window }) => [name, window.doc]))
      tokens.check({ ...replicas, store: await server.readStoredDocument(document.id) })
    } catch (error) {
      throw new Error(`Seed ${seed}, after ${steps.join(', ')}: ${String(error)}`, { cause: error })
    }
  },
  180_000,
)
