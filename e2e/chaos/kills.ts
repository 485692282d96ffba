/**
 * The server dies by SIGKILL at random moments while five write, and is started again; the clients come back by themselves.
 * After each death the folder as it was left is read, and at the end everything.
 */
import { once } from 'node:events'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type * as Y from 'yjs'
import { type Program, ready, startProgram } from '../../server/fixtures/program.ts'
import { makeDocument, readStored, type SharedDocument } from '../../server/fixtures/real-server.ts'
import { complaints, equal } from './oracle.ts'
import { type Random, randomOf } from './random.ts'
import { fiveWriters, OurWriter, pause, type Writer } from './writers.ts'

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
  const copy = await server.readCopy(document.id)
  const wrong = complaints(copy, ledgersOf(writers))
  if (wrong.length > 0) throw new Error(`after a kill the store is wrong: ${wrong.slice(0, 5).join('; ')}`)
  await pause(random.pick([0, 0, random.between(0, 300)]))
  if (random.next() < 0.15) await server.startAndKill(random.between(0, 400))
  const disk = random.pick<Disk>(['that is slow', 'as it is'])
  await server.start(disk)
  return `at ${before} acknowledged, ${ms} ms later; then a disk ${disk}`
}

async function finish(
  server: MortalServer,
  writers: readonly Writer[],
  document: SharedDocument,
  step: (text: string) => void,
): Promise<ChaosReport> {
  await Promise.all(writers.map((writer) => writer.stopped()))
  const ours = writers.filter((writer) => writer instanceof OurWriter)
  step('all have written their last')
  await within('acknowledgement of everything', Promise.all(ours.map((writer) => writer.acknowledge())))
  const [first] = writers as [Writer]
  await comesToHold('equality of all replicas', () => writers.every(({ doc }) => equal(doc, first.doc)))
  await server.kill()
  const stored = await server.readCopy(document.id)
  checkEverywhere([...writers.map(({ doc }) => doc), stored], writers)
  return {
    tokens: ledgersOf(writers).reduce((sum, ledger) => sum + ledger.size, 0),
    acknowledged: acknowledgedBy(writers),
    links: ours.reduce((sum, { window }) => sum + window.stats().links, 0),
  }
}

export function checkEverywhere(docs: readonly Y.Doc[], writers: readonly Writer[]): void {
  // At rest nothing is on its way any more: what one holds, all hold.
  for (const [token, fate] of writers.flatMap(({ ledger }) => [...ledger]))
    if (fate === 'said') writerOf(writers, token).ledger.set(token, 'saved')
    else if (fate === 'deleting') writerOf(writers, token).ledger.set(token, 'deleted')
  for (const doc of docs) {
    const wrong = complaints(doc, ledgersOf(writers))
    if (wrong.length > 0) throw new Error(`in the end: ${wrong.slice(0, 5).join('; ')}`)
    if (!equal(doc, docs[0]!)) throw new Error('in the end the store differs from the replicas')
  }
}

const writerOf = (writers: readonly Writer[], token: string): Writer =>
  writers.find(({ ledger }) => ledger.has(token)) as Writer

const ledgersOf = (writers: readonly Writer[]) => writers.map(({ ledger }) => ledger)

const acknowledgedBy = (writers: readonly Writer[]): number =>
  writers.reduce((sum, { acknowledged }) => sum + acknowledged, 0)

/** A writer that failed fails the run at once. */
const rejection = (writer: Writer): Promise<void> => Promise.race([writer.stopped(), pause(0)])

function describeWriter(writer: Writer): string {
  const state = writer instanceof OurWriter ? JSON.stringify(writer.window.status.get()) : 'stock'
  return `${writer.name}: ${writer.ledger.size} tokens, ${writer.acknowledged} acknowledged, ${state}`
}

/** Generous: it tells a hang from a slow machine. */
const PATIENCE_MS = 60_000

export async function comesToHold(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`still waiting for ${what}`)
    await pause(10)
  }
}

export async function within<Result>(what: string, work: Promise<Result>): Promise<Result> {
  const late = new AbortController()
  const tooLate = new Promise<never>((_resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`still waiting for ${what}`)), PATIENCE_MS)
    late.signal.addEventListener('abort', () => clearTimeout(timer))
  })
  return Promise.race([work, tooLate]).finally(() => late.abort())
}

type Disk = 'that is slow' | 'as it is'

const slowCommits = new URL('slow-commits.ts', import.meta.url).href

/** The program, on the same ports and folder through all its lives. */
class MortalServer implements AsyncDisposable {
  readonly #folder: string
  readonly #ports: { readonly PORT: string; readonly HTTPS_PORT: string }
  #program: Program | null = null
  /** What its lives said on standard error. */
  said = ''

  static async start(): Promise<MortalServer> {
    const [http, https] = await freePorts()
    const folder = await mkdtemp(join(tmpdir(), 'diptych-chaos-'))
    const server = new MortalServer(folder, { PORT: String(http), HTTPS_PORT: String(https) })
    await server.start()
    return server
  }

  private constructor(folder: string, ports: { PORT: string; HTTPS_PORT: string }) {
    this.#folder = folder
    this.#ports = ports
  }

  get origins(): { http: string; https: string } {
    return {
      http: `http://localhost:${this.#ports.PORT}`,
      https: `https://localhost:${this.#ports.HTTPS_PORT}`,
    }
  }

  async start(disk: Disk = 'as it is'): Promise<void> {
    this.#program = startProgram({
      DATA_DIR: this.#folder,
      ...this.#ports,
      ...(disk === 'that is slow' && { NODE_OPTIONS: `--import ${slowCommits}` }),
    })
    await ready(this.#program)
  }

  async startAndKill(ms: number): Promise<void> {
    this.#program = startProgram({ DATA_DIR: this.#folder, ...this.#ports })
    await pause(ms)
    await this.kill()
  }

  async kill(): Promise<void> {
    const program = this.#program
    if (!program) return
    this.#program = null
    program.process.kill('SIGKILL')
    this.said += (await program.ended).stderr
  }

  /** What a server that starts now would load, read from a copy: the original waits for the next life. */
  async readCopy(document: string): Promise<Y.Doc> {
    const copy = await mkdtemp(join(tmpdir(), 'diptych-chaos-copy-'))
    try {
      await cp(this.#folder, copy, { recursive: true })
      return await readStored(join(copy, 'diptych.sqlite'), document)
    } finally {
      await rm(copy, { recursive: true })
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill()
    await rm(this.#folder, { recursive: true, force: true })
  }
}

/**
 * Below the range from which the system gives ports to connections: a client that knocks at a dead server's port from that very
 * port would else reach itself.
 */
async function freePorts(): Promise<[number, number]> {
  const found: number[] = []
  while (found.length < 2) {
    const port = 20_000 + Math.floor(Math.random() * 10_000)
    if (!found.includes(port) && (await isFree(port))) found.push(port)
  }
  return found as [number, number]
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  try {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    return true
  } catch {
    return false
  } finally {
    server.close()
  }
}
