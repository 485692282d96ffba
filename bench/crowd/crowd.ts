/**
 * A load generator: many clients without documents, in threads of their own, so light that one core receives tens of thousands of
 * edits a second. Latency counts from when an edit was due, so that a crowd that is late hides nothing.
 */
import { availableParallelism } from 'node:os'
import { RequestWorker } from '../../e2e/fixtures/worker-requests.ts'
import { crowdNow } from './crowd-clock.ts'
import type { CrowdProtocolName } from './crowd-protocols.ts'
import type { CrowdClient, CrowdRunOrder } from './client-group.ts'
import type { Schedule } from './schedule.ts'
import { sumTallies, type CrowdTally } from './crowd-tally.ts'
import type { ThreadRequest } from './crowd-thread.ts'

export interface CrowdOptions {
  readonly protocol: CrowdProtocolName
  /** Clients are spread over them in turn: `http://localhost:43123` */
  readonly origins: readonly string[]
  readonly clients: number
  /** The number of clients of each document; the last document may have fewer. */
  readonly perDocument: number
  /** One for each document, in order. */
  readonly documents: readonly { readonly id: string; readonly token: string }[]
}

export interface CrowdLoad {
  readonly rhythm: Schedule['rhythm']
  readonly intervalMs: number
  /** The number of edits that each client writes. */
  readonly edits: number
  readonly patienceMs?: number
}

const MOST_THREADS = 4
/** The time from the call of `run` to the first edit, in which every thread receives its order. */
export const HEAD_START_MS = 250

/** Clients in one thread, or in one page. */
export interface CrowdPart {
  run(order: CrowdRunOrder): Promise<CrowdTally>
  end(): Promise<void>
}

interface CrowdTimes {
  /** One clock for all parts. */
  now(): number
  /** The time in which every part receives its order. */
  readonly headStartMs: number
  /** Edits that do not arrive for so long count as lost. */
  readonly patienceMs: number
}

export class Crowd implements AsyncDisposable {
  readonly #parts: readonly CrowdPart[]
  readonly #times: CrowdTimes
  /** The number of edits that each client has written. */
  #written = 0
  #ended: Promise<unknown> | undefined

  /** Resolves once every client has its document open. */
  static async inThreads(options: CrowdOptions): Promise<Crowd> {
    const { protocol } = options
    const shares = sharesOf(
      clientsOf(options),
      Math.min(MOST_THREADS, Math.max(1, availableParallelism() - 1)),
    )
    const threads = shares.map(() => new CrowdThread())
    const crowd = new Crowd(threads, { now: crowdNow, headStartMs: HEAD_START_MS, patienceMs: 10_000 })
    try {
      await Promise.all(threads.map((thread, index) => thread.open(protocol, shares[index]!)))
    } catch (error) {
      await crowd[Symbol.asyncDispose]()
      throw error
    }
    return crowd
  }

  constructor(parts: readonly CrowdPart[], times: CrowdTimes) {
    this.#parts = parts
    this.#times = times
  }

  /** Each client writes `edits` letters. Resolves once all have arrived, or the rest counts as lost. */
  async run({
    rhythm,
    intervalMs,
    edits,
    patienceMs = this.#times.patienceMs,
  }: CrowdLoad): Promise<CrowdTally> {
    const startAt = this.#times.now() + this.#times.headStartMs
    const order = { startAt, rhythm, intervalMs, edits, firstClock: this.#written, patienceMs }
    this.#written += edits
    return sumTallies(await Promise.all(this.#parts.map((part) => part.run(order))))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await (this.#ended ??= Promise.all(this.#parts.map((part) => part.end())))
  }
}

export function clientsOf({
  origins,
  clients,
  perDocument,
  documents,
}: Omit<CrowdOptions, 'protocol'>): CrowdClient[] {
  return Array.from({ length: clients }, (_, index) => {
    const first = index - (index % perDocument)
    const { id, token } = documents[first / perDocument]!
    const origin = origins[index % origins.length]!
    return { index, origin, document: id, token, first, count: Math.min(perDocument, clients - first) }
  })
}

/** Splits the clients into equal shares, each of neighbours. */
const sharesOf = (clients: readonly CrowdClient[], threads: number): CrowdClient[][] =>
  Array.from({ length: Math.min(threads, clients.length) }, (_, index) =>
    clients.slice(
      Math.round((index * clients.length) / threads),
      Math.round(((index + 1) * clients.length) / threads),
    ),
  )

class CrowdThread implements CrowdPart {
  readonly #worker = new RequestWorker<ThreadRequest>(new URL('crowd-thread.ts', import.meta.url))

  async open(protocol: CrowdProtocolName, clients: readonly CrowdClient[]): Promise<void> {
    await this.#worker.request({ type: 'open', protocol, clients })
  }

  run(run: CrowdRunOrder): Promise<CrowdTally> {
    return this.#worker.request({ type: 'run', run }) as Promise<CrowdTally>
  }

  async end(): Promise<void> {
    await this.#worker.request({ type: 'close' }).catch(() => {})
    await this.#worker.terminate()
  }
}
