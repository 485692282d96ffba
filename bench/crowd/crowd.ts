/**
 * Many clients without a document behind them, in threads of their own, light enough that one core receives tens of thousands of
 * edits a second. Latency counts from the time an edit was due, not from when the crowd got round to saying it.
 */
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { crowdNow } from './crowd-clock.ts'
import type { CrowdProtocolName } from './protocols.ts'
import type { CrowdClient } from './client-group.ts'
import type { Schedule } from './schedule.ts'
import { sumOf, type Tally } from './tally.ts'
import type { ThreadOrder } from './thread.ts'

export interface CrowdOptions {
  readonly protocol: CrowdProtocolName
  /** `http://localhost:43123` */
  readonly origin: string
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

/** Until every thread has its orders. */
const HEAD_START_MS = 250
/** A server that lags by more than this has lost what it lacks. */
const PATIENCE_MS = 10_000
const MOST_THREADS = 4

export class Crowd implements AsyncDisposable {
  readonly #threads: readonly Thread[]
  /** Edits that each client has written. */
  #written = 0
  #ended: Promise<void> | undefined

  /** Resolves once every client has its document open. */
  static async open(options: CrowdOptions): Promise<Crowd> {
    const clients = clientsOf(options)
    const { protocol, origin } = options
    const shares = sharesOf(clients, Math.min(MOST_THREADS, Math.max(1, availableParallelism() - 1)))
    const crowd = new Crowd(shares.map(() => new Thread()))
    try {
      await crowd.#order((index) => ({ type: 'open', protocol, origin, clients: shares[index]! }))
    } catch (error) {
      await crowd[Symbol.asyncDispose]()
      throw error
    }
    return crowd
  }

  private constructor(threads: readonly Thread[]) {
    this.#threads = threads
  }

  /** Each client writes `edits` letters. Resolves once all arrived, or the rest is given up for lost. */
  async run({ rhythm, intervalMs, edits, patienceMs = PATIENCE_MS }: CrowdLoad): Promise<Tally> {
    const startAt = crowdNow() + HEAD_START_MS
    const run = { startAt, rhythm, intervalMs, edits, firstClock: this.#written, patienceMs }
    this.#written += edits
    return sumOf((await this.#order(() => ({ type: 'run', run }))) as Tally[])
  }

  [Symbol.asyncDispose](): Promise<void> {
    return (this.#ended ??= this.#end())
  }

  async #end(): Promise<void> {
    await this.#order(() => ({ type: 'close' })).catch(() => {})
    await Promise.all(this.#threads.map((thread) => thread.end()))
  }

  #order(order: (index: number) => ThreadOrder): Promise<unknown[]> {
    return Promise.all(this.#threads.map((thread, index) => thread.order(order(index))))
  }
}

export function clientsOf({
  clients,
  perDocument,
  documents,
}: Pick<CrowdOptions, 'clients' | 'perDocument' | 'documents'>): CrowdClient[] {
  return Array.from({ length: clients }, (_, client) => {
    const index = Math.floor(client / perDocument)
    const { id, token } = documents[index]!
    const first = index * perDocument
    return { client, document: id, token, first, count: Math.min(perDocument, clients - first) }
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

class Thread {
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

  async end(): Promise<void> {
    await this.#worker.terminate()
  }
}
