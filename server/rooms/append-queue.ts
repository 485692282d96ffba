/**
 * The way to the disk. What comes while a batch is being appended is the next batch, and a batch is offered until the store takes it
 * (D3). Knows the store and time; does not know what edits say, or who hears of them.
 */
import type { Logger } from 'pino'
import type { ServerCounts } from '../metrics/server-counts.ts'
import type { DocumentStore, DocumentEdit } from '../store/store.ts'

const FIRST_RETRY_MS = 100
const LAST_RETRY_MS = 2_000

/** One without an edit only waits for what came before it. */
export interface AppendEntry {
  readonly edit: DocumentEdit | null
}

export interface AppendQueueOptions<Entry> {
  readonly document: string
  readonly store: Pick<DocumentStore, 'append'>
  readonly log: Logger
  readonly counts: ServerCounts
  /** Resolves when the next batch may be made of what waits by then. @param countWaiting How many steps do. */
  waitForBatch(countWaiting: () => number): Promise<void>
  /** Right before a batch is made of what waits. */
  onBeforeBatch(): void
  /** Once all that the steps bring is on disk. @param first Sequence number of the first of the edits, 0 where there are none. */
  onCommitted(entries: readonly Entry[], edits: readonly DocumentEdit[], first: number): void
  onFailing(failing: boolean): void
  /** One of the others threw, and the queue is closed. @param entries Those that nobody is told of any more; some may be on disk. */
  onFault(error: unknown, entries: readonly Entry[]): void
}

export class AppendQueue<Entry extends AppendEntry> {
  readonly #parts: AppendQueueOptions<Entry>
  #entries: Entry[] = []
  /** What is being appended and told. */
  #batch: readonly Entry[] = []
  #working: Promise<void> | null = null
  #failing = false
  #closed = false
  #cancelWait = () => {}

  constructor(options: AppendQueueOptions<Entry>) {
    this.#parts = options
  }

  /** How many steps wait, besides those of the batch that is being appended. */
  get length(): number {
    return this.#entries.length
  }

  /** Everything that came is on disk. */
  get isSettled(): boolean {
    return this.#working === null
  }

  /** The store refused the batch when it was last offered. */
  get isFailing(): boolean {
    return this.#failing
  }

  add(entry: Entry): void {
    this.#entries.push(entry)
    this.#working ??= this.#work()
  }

  async whenSettled(): Promise<void> {
    while (this.#working) await this.#working
  }

  /** Gives up what the store would not take. No step is told of any more, not even of what is being appended. */
  close(): void {
    this.#closed = true
    this.#cancelWait()
  }

  async #work(): Promise<void> {
    await Promise.resolve() // the other edits of the same frame join the batch
    try {
      while (this.#entries.length > 0 && !this.#closed) {
        await this.#parts.waitForBatch(() => this.length)
        await this.#commitBatch()
      }
    } catch (error) {
      this.#fail(error)
    } finally {
      this.#working = null
    }
  }

  #fail(error: unknown): void {
    const { onFault, log, document } = this.#parts
    const steps = [...this.#batch, ...this.#entries]
    this.#entries = []
    this.#batch = []
    this.close()
    try {
      onFault(error, steps)
    } catch (fault) {
      log.error({ document, err: fault }, 'a fault could not be dealt with')
    }
  }

  async #commitBatch(): Promise<void> {
    this.#parts.onBeforeBatch()
    const steps = this.#entries
    this.#batch = steps
    this.#entries = []
    const edits = steps.flatMap(({ edit }) => edit ?? [])
    const first = edits.length > 0 ? await this.#append(edits) : 0
    if (!this.#closed) this.#parts.onCommitted(steps, edits, first)
    this.#batch = []
  }

  async #append(edits: readonly DocumentEdit[]): Promise<number> {
    for (let wait = FIRST_RETRY_MS; !this.#closed; wait = Math.min(LAST_RETRY_MS, wait * 2)) {
      const first = await this.#offer(edits)
      if (first !== null) {
        this.#setFailing(false)
        return first
      }
      this.#setFailing(true)
      await this.#wait(wait)
    }
    return 0
  }

  /** Null: the store did not take them. */
  async #offer(edits: readonly DocumentEdit[]): Promise<number | null> {
    try {
      const [first] = await this.#parts.store.append(edits)
      this.#parts.counts.commits += 1
      return first!
    } catch (error) {
      this.#refused(edits, error)
      return null
    }
  }

  #refused(edits: readonly DocumentEdit[], error: unknown): void {
    const { counts, log, document } = this.#parts
    counts.storeFailures += 1
    log.error({ document, edits: edits.length, err: error }, 'store did not commit')
  }

  #setFailing(failing: boolean): void {
    if (failing === this.#failing) return
    this.#failing = failing
    this.#parts.onFailing(failing)
  }

  #wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      this.#cancelWait = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}
