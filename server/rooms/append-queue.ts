/**
 * The queue of edits on their way to the disk. The entries that come while a batch is being appended are the next batch, and a batch
 * is offered until the store takes it (D3). Knows the store and time; does not know what edits hold, or who receives them.
 */
import type { Logger } from 'pino'
import type { ServerCounts } from '../metrics/server-counts.ts'
import { MAX_GROUP_BYTES } from '../store/group-commit.ts'
import { AppendConflict, type DocumentStore, type DocumentEdit } from '../store/store.ts'
import { InterruptibleWait } from '../timeouts.ts'

const FIRST_RETRY_MS = 100
const LAST_RETRY_MS = 2_000
/**
 * A batch is encoded for the store, and reported to everybody, in one turn each. This many edits take some 10 ms, and after a store has
 * failed for a while there may be many more.
 */
export const MAX_BATCH_EDITS = 1_000
/** As much as a transaction takes. While a store fails, each document’s batch is copied for it again and again. */
export const MAX_BATCH_BYTES = MAX_GROUP_BYTES

/** An entry without an edit only waits for the entries before it. */
export interface AppendEntry {
  readonly edit: DocumentEdit | null
}

export interface AppendQueueOptions<Entry> {
  readonly document: string
  readonly store: Pick<DocumentStore, 'append'>
  readonly log: Logger
  readonly counts: ServerCounts
  /** Resolves when the next batch may be made of the entries that wait by then. @param countWaiting Returns their number. */
  waitForBatch(countWaiting: () => number): Promise<void>
  /** Called right before a batch is made. */
  onBeforeBatch(): void
  /** Called when all edits of the entries are on disk. @param first The first edit's sequence number, 0 if there are no edits. */
  onCommitted(entries: readonly Entry[], edits: readonly DocumentEdit[], first: number): void
  onFailing(failing: boolean): void
  /** Another callback threw, or another node was first (`AppendConflict`), and the queue is closed. @param entries Those that are never reported; some may be on disk. */
  onFault(error: unknown, entries: readonly Entry[]): void
}

export class AppendQueue<Entry extends AppendEntry> {
  readonly #options: AppendQueueOptions<Entry>
  #entries: Entry[] = []
  /** The entries that are being appended and reported. */
  #batch: readonly Entry[] = []
  #working: Promise<void> | null = null
  #failing = false
  #closed = false
  readonly #pause = new InterruptibleWait()

  constructor(options: AppendQueueOptions<Entry>) {
    this.#options = options
  }

  /** How many entries wait, besides those of the batch that is being appended. */
  get length(): number {
    return this.#entries.length
  }

  /** Those that are not done, the batch that is being appended first. */
  get pending(): readonly Entry[] {
    return [...this.#batch, ...this.#entries]
  }

  /** True if every entry is done. */
  get isSettled(): boolean {
    return this.#working === null
  }

  /** True if the store refused the batch when it was last offered. */
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

  /** Gives up what the store did not take. No entry is reported any more, not even those that are being appended. */
  close(): void {
    this.#closed = true
    this.#pause.end()
  }

  async #work(): Promise<void> {
    await Promise.resolve() // the other edits of the same frame join the batch
    try {
      while (this.#entries.length > 0 && !this.#closed) {
        await this.#options.waitForBatch(() => this.length)
        await this.#commitBatch()
      }
    } catch (error) {
      this.#fail(error)
    } finally {
      this.#working = null
    }
  }

  #fail(error: unknown): void {
    const { onFault, log, document } = this.#options
    const entries = [...this.#batch, ...this.#entries]
    this.#entries = []
    this.#batch = []
    this.close()
    try {
      onFault(error, entries)
    } catch (fault) {
      log.error({ document, err: fault }, 'a fault could not be dealt with')
    }
  }

  async #commitBatch(): Promise<void> {
    this.#options.onBeforeBatch()
    const end = endOfBatch(this.#entries)
    this.#batch = this.#entries.slice(0, end)
    this.#entries = this.#entries.slice(end)
    const edits = this.#batch.flatMap(({ edit }) => edit ?? [])
    const first = edits.length > 0 ? await this.#append(edits) : 0
    if (!this.#closed) this.#options.onCommitted(this.#batch, edits, first)
    this.#batch = []
  }

  /** @throws {AppendConflict} */
  async #append(edits: readonly DocumentEdit[]): Promise<number> {
    for (let wait = FIRST_RETRY_MS; !this.#closed; wait = Math.min(LAST_RETRY_MS, wait * 2)) {
      const first = await this.#offer(edits)
      if (first !== null) {
        this.#setFailing(false)
        return first
      }
      this.#setFailing(true)
      await this.#pause.wait(wait)
    }
    return 0
  }

  /** Returns null if the store did not take the edits. */
  async #offer(edits: readonly DocumentEdit[]): Promise<number | null> {
    try {
      const [first] = await this.#options.store.append(edits)
      this.#options.counts.commits += 1
      return first!
    } catch (error) {
      if (error instanceof AppendConflict) throw error
      this.#reportFailure(edits, error)
      return null
    }
  }

  #reportFailure(edits: readonly DocumentEdit[], error: unknown): void {
    const { counts, log, document } = this.#options
    counts.storeFailures += 1
    log.error({ document, edits: edits.length, err: error }, 'store did not commit')
  }

  #setFailing(failing: boolean): void {
    if (failing === this.#failing) return
    this.#failing = failing
    this.#options.onFailing(failing)
  }
}

/** How many entries fit into one batch: one at least. */
function endOfBatch(entries: readonly AppendEntry[]): number {
  let edits = 0
  let bytes = 0
  const end = entries.findIndex(({ edit }, index) => {
    edits += edit ? 1 : 0
    bytes += edit ? edit.update.length : 0
    return index > 0 && (edits > MAX_BATCH_EDITS || bytes > MAX_BATCH_BYTES)
  })
  return end === -1 ? entries.length : end
}
