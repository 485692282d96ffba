/**
 * Many clients without a document behind them, in threads of their own, light enough that one core receives tens of thousands of
 * edits a second. Latency counts from the time an edit was due, not from when the crowd got round to saying it.
 */
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { crowdNow } from './crowd-clock.ts'
import type { CrowdProtocolName } from './protocols.ts'
import type { CrowdClient, CrowdRunOrder } from './client-group.ts'
import type { Schedule } from './schedule.ts'
import { sumOf, type Tally } from './tally.ts'
import type { ThreadOrder } from './thread.ts'

export interface CrowdOptions {
  readonly protocol: CrowdProtocolName
  /** Clients take turns at them: `http://localhost:43123` */
  readonly origins: readonly string[]
  readonly clients: number
  /** How many share a document; the last one may have fewer. */
  readonly perDocument: number
  /** One for each document, in order. */
  readonly documents: readonly { readonly id: string; readonly token: string }[]
}

export interface CrowdLoad {
  readonly rhythm: Schedule['rhythm']
  readonly intervalMs: number
  /** Of each client. */
  readonly edits: number
  readonly patienceMs?: number
}

const MOST_THREADS = 4
/** From the call of `run` until the first edit is due: until every thread has its orders. */
export const HEAD_START_MS = 250

/** Clients in one thread, or in one page. */
export interface CrowdPart {
  run(order: CrowdRunOrder): Promise<Tally>
  end(): Promise<void>
}

/** Its parts agree on the clock. */
interface CrowdTimes {
  now(): number
  /** Until every part has its orders. */
  readonly headStartMs: number
  /** A server that lags by more than this has lost what it lacks. */
  readonly patienceMs: number
}

export class Crowd implements AsyncDisposable {
  readonly #parts: readonly CrowdPart[]
  readonly #times: CrowdTimes
  /** Edits that each client has written. */
  #written = 0
  #ended: Promise<unknown> | undefined

  /** Resolves once every client has its document open. */
  static async inThreads(options: CrowdOptions): Promise<Crowd> {
    const { protocol } = options
    const shares = sharesOf(
      clientsOf(options),
      Math.min(MOST_THREADS, Math.max(1, availableParallelism() - 1)),
    )
    const threads = shares.map(() => new Thread())
    const crowd = new Crowd(threads, { now: crowdNow, headStartMs: HEAD_START_MS, patienceMs: 10_000 })
    try {
      await Promise.all(
        threads.map((thread, index) => thread.order({ type: 'open', protocol, clients: shares[index]! })),
      )
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

  /** Each client writes `edits` letters. Resolves once all arrived, or the rest is given up for lost. */
  async run({ rhythm, intervalMs, edits, patienceMs = this.#times.patienceMs }: CrowdLoad): Promise<Tally> {
    const startAt = this.#times.now() + this.#times.headStartMs
    const order = { startAt, rhythm, intervalMs, edits, firstClock: this.#written, patienceMs }
    this.#written += edits
    return sumOf(await Promise.all(this.#parts.map((part) => part.run(order))))
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
  return Array.from({ length: clients }, (_, client) => {
    const index = Math.floor(client / perDocument)
    const { id, token } = documents[index]!
    const first = index * perDocument
    const origin = origins[client % origins.length]!
    return { client, origin, document: id, token, first, count: Math.min(perDocument, clients - first) }
  })
}

/** Runs of clients, as even as can be. */
const sharesOf = (clients: readonly CrowdClient[], threads: number): CrowdClient[][] =>
  Array.from({ length: Math.min(threads, clients.length) }, (_, index) =>
    clients.slice(
      Math.round((index * clients.length) / threads),
      Math.round(((index + 1) * clients.length) / threads),
    ),
  )

class Thread implements CrowdPart {
  readonly #worker = new Worker(new URL('thread.ts', import.meta.url))

  /** One order at a time. */
  async order(order: ThreadOrder): Promise<unknown> {
    this.#worker.postMessage(order)
    const [{ answer, error }] = (await once(this.#worker, 'message')) as [
      { answer?: unknown; error?: string },
    ]
    if (error !== undefined) throw new Error(`A crowd's thread: ${error}`)
    return answer
  }

  run(run: CrowdRunOrder): Promise<Tally> {
    return this.order({ type: 'run', run }) as Promise<Tally>
  }

  async end(): Promise<void> {
    await this.order({ type: 'close' }).catch(() => {})
    await this.#worker.terminate()
  }
}
