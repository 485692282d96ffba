import { test } from 'vitest'
import { type OpenDocument, openDocument } from '../../lib/client.ts'
import { RealServer, type SharedDocument, type Way } from '../../server/fixtures/real-server.ts'
import { Tokens, Writer } from '../../server/sessions/fixtures/writers.ts'
import { FaultProxy } from '../support/fault-proxy.ts'
import { equal } from './oracle.ts'
import { type Random, randomOf } from './random.ts'
import { comesToHold } from './rest.ts'
import { everyWay } from './ways.ts'
import { pause } from './writers.ts'

const names = ['ada', 'bob', 'cleo', 'dan', 'eve']
const ROUNDS = 200
/** Of a hundred, a round and writer. */
const DISCONNECTS = 2
const SLOWEST_MS = 15

/** Seeds that found something stay here. */
const kept: readonly number[] = []
const first = Number(process.env.CHAOS_SEED ?? crypto.getRandomValues(new Uint32Array(1))[0])
/** CHAOS_RUNS of them, where a long run is wanted. */
const fresh = Array.from({ length: Number(process.env.CHAOS_RUNS ?? 1) }, (_, index) => first + index)

/** A writer of rich text on a line of its own. */
class LinedWriter implements AsyncDisposable {
  readonly name: string
  readonly window: OpenDocument
  readonly #writer: Writer
  readonly #random: Random
  readonly #line: FaultProxy

  static async open(
    name: string,
    scene: { server: RealServer; document: SharedDocument; way: Way; tokens: Tokens; random: Random },
  ) {
    const line = await FaultProxy.listen()
    line.targetPort = Number(new URL(scene.server.origin(scene.way.scheme)).port)
    line.set({ jitterMs: SLOWEST_MS })
    return new LinedWriter(name, scene, line)
  }

  private constructor(
    name: string,
    { document, way, tokens, random }: { document: SharedDocument; way: Way; tokens: Tokens; random: Random },
    line: FaultProxy,
  ) {
    const url = `${way.scheme}://localhost:${line.port}`
    const { transport } = way
    this.name = name
    this.window = openDocument({
      url,
      document: document.id,
      token: document.tokens.editor,
      transport,
      insecure: true,
    })
    this.#writer = new Writer(name, this.window, tokens, () => random.next())
    this.#random = random
    this.#line = line
  }

  step(): string {
    const step = this.#random.pick(['insert', 'insert', 'insert', 'delete', 'format'] as const)
    this.#writer[step]()
    if (this.#random.between(1, 100) > DISCONNECTS) return `${this.name} ${step}`
    this.#line.cut()
    return `${this.name} ${step}, cut`
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.window.close()
    await this.#line.close()
  }
}

test.each([...kept, ...fresh])(
  '[S1] [S3] five writers of rich text at the same places, 200 rounds through sockets with cuts and jitter, seed %d',
  async (seed) => {
    await using server = await RealServer.start()
    await using stack = new AsyncDisposableStack()
    const document = await server.newDocument()
    const tokens = new Tokens()
    const writers: LinedWriter[] = []
    for (const [index, name] of names.entries()) {
      const way = everyWay[(2 * index) % everyWay.length]!
      const scene = { server, document, way, tokens, random: randomOf(seed, name) }
      writers.push(stack.use(await LinedWriter.open(name, scene)))
    }
    await Promise.all(writers.map(({ window }) => window.whenSynced))
    const story: string[] = []
    try {
      for (let round = 0; round < ROUNDS; round++) {
        story.push(...writers.map((writer) => writer.step()))
        await pause(randomOf(seed, String(round)).between(0, SLOWEST_MS))
      }
      await Promise.all(writers.map(({ window }) => window.whenSaved()))
      const docs = writers.map(({ window }) => window.doc)
      await comesToHold('equality of all replicas', () => docs.every((doc) => equal(doc, docs[0]!)))
      await stack.disposeAsync()
      await server.stop()
      const replicas = Object.fromEntries(writers.map(({ name, window }) => [name, window.doc]))
      tokens.check({ ...replicas, store: await server.stored(document.id) })
    } catch (error) {
      throw new Error(`Seed ${seed}, after ${story.join(', ')}: ${String(error)}`, { cause: error })
    }
  },
  180_000,
)
