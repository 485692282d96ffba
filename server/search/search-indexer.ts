/**
 * Keeps the index behind what is stored by a second or so: notes which documents changed, and reads one after the other, those of each
 * owner in turn, each again only after a rest that grows with its bytes. What it knows is in memory alone: after a start it finds what is missing by comparing
 * sequences. It knows documents and bytes; it does not know words.
 */
import type { Logger } from 'pino'
import type { IndexableText } from '../../lib/search/passage.ts'
import type { Clock } from '../../lib/session/clock.ts'
import { FairQueue } from '../fair-queue.ts'
import { type PackedUpdates, packUpdates } from '../store/batch.ts'
import type { DocumentStore } from '../store/store.ts'
import type { SearchIndex } from './search-index.ts'

export interface SearchIndexerDependencies {
  readonly index: Pick<SearchIndex, 'write' | 'ownerOf' | 'findStale' | 'removeGone'>
  readonly store: Pick<DocumentStore, 'load'>
  /** Reads in a thread. @throws {Error} for a text that cannot be read, or takes too long. */
  readonly readText: (body: PackedUpdates, comments: PackedUpdates) => Promise<IndexableText>
  readonly clock: Pick<Clock, 'after'>
  readonly log?: Logger
  /** Called with the number of documents that were read so far. */
  readonly onIndexed?: (documents: number) => void
}

export interface IndexCounts {
  readonly indexed: number
  readonly failed: number
}

/** A document rests for so long after it was read, and a long one for as long as this many of its bytes a millisecond take. */
const MIN_REST_MS = 1_000
const DOCUMENT_BYTES_PER_MS = 256
/** So many bytes of an owner's documents together: to read 10 KB takes 7 ms of several threads, and leaves them to others for 10. */
const OWNER_BYTES_PER_MS = 1_024
/** All others wait as well, and no longer: the rest of the pause is of the owner alone. */
const MAX_COMMON_PAUSE_MS = 100
const RETRY_MS = 30_000
const HOUR_MS = 3_600_000
/** A sweep waits while so many documents wait. */
const MAX_SWEPT = 500

interface Entry {
  state: 'waiting' | 'resting' | 'changed'
  /** Ends the rest. */
  cancel(): void
}

export class SearchIndexer {
  readonly #dependencies: SearchIndexerDependencies
  /** All others are at rest, and unchanged since. */
  readonly #entries = new Map<string, Entry>()
  /** Owners wait for themselves, for their pauses too. */
  readonly #lanes = new FairQueue(Infinity)
  readonly #turns = new FairQueue(1)
  readonly #waiters = new Set<{ readonly most: number; resolve(): void }>()
  /** What ends each pause, and each wait for a thread. */
  readonly #ends = new Set<() => void>()
  readonly #counts = { indexed: 0, failed: 0 }
  #waiting = 0
  #isClosed = false
  #cancelSweep = (): void => {}
  #sweeping: Promise<void> = Promise.resolve()

  constructor(dependencies: SearchIndexerDependencies) {
    this.#dependencies = dependencies
  }

  /** The number of documents that wait, or are read. */
  get waiting(): number {
    return this.#waiting
  }

  /** Since the start. A document may be counted several times. */
  get counts(): IndexCounts {
    return this.#counts
  }

  /** Looks for what has changed unnoticed: at once, and every hour. */
  start(): void {
    this.#cancelSweep()
    this.#sweeping = this.#sweeping.then(async () => {
      const isSwept = await this.sweep().then(
        () => true,
        (err: unknown) =>
          this.#dependencies.log?.error({ err }, 'the search index was not compared; it is tried again'),
      )
      if (this.#isClosed) return
      this.#cancelSweep()
      this.#cancelSweep = this.#dependencies.clock.after(isSwept ? HOUR_MS : RETRY_MS, () => this.start())
    })
  }

  onChanged(document: string): void {
    if (this.#isClosed) return
    const entry = this.#entries.get(document)
    if (!entry) this.#enqueue(document)
    else if (entry.state === 'resting') entry.state = 'changed'
  }

  async sweep(): Promise<void> {
    const { index } = this.#dependencies
    for (let after: string | null = ''; after !== null && !this.#isClosed;) {
      const { documents, next } = await index.findStale(after)
      documents.forEach((document) => this.onChanged(document))
      await this.#whenAtMost(MAX_SWEPT)
      after = next
    }
    if (!this.#isClosed) await index.removeGone()
  }

  /** Resolves once nothing waits. */
  async whenIdle(): Promise<void> {
    await this.#whenAtMost(0)
  }

  async #whenAtMost(most: number): Promise<void> {
    if (this.#waiting > most) await new Promise<void>((resolve) => this.#waiters.add({ most, resolve }))
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#cancelSweep()
    this.#ends.forEach((end) => end())
    await this.whenIdle()
    for (const { cancel } of this.#entries.values()) cancel()
    await this.#sweeping
  }

  #enqueue(document: string): void {
    this.#entries.set(document, { state: 'waiting', cancel: () => {} })
    this.#waiting += 1
    void this.#indexInLane(document).finally(() => {
      this.#waiting -= 1
      for (const waiter of this.#waiters)
        if (this.#waiting <= waiter.most && this.#waiters.delete(waiter)) waiter.resolve()
    })
  }

  async #indexInLane(document: string): Promise<void> {
    const owner = await this.#dependencies.index.ownerOf(document).catch(() => '')
    if (owner === null) return this.#skip(document)
    await this.#lanes.run(owner, async () => {
      const pauseMs = await this.#turns.run(owner, async () => {
        const ms = (await this.#indexInTurn(document)) / OWNER_BYTES_PER_MS
        await this.#pause(Math.min(ms, MAX_COMMON_PAUSE_MS))
        return ms
      })
      await this.#pause(pauseMs - MAX_COMMON_PAUSE_MS)
    })
  }

  #skip(document: string): void {
    const entry = this.#entries.get(document)!
    entry.state = 'resting'
    this.#rest(document, entry, MIN_REST_MS)
  }

  /** Returns how many bytes were read. */
  async #indexInTurn(document: string): Promise<number> {
    if (this.#isClosed) return 0
    const entry = this.#entries.get(document)!
    entry.state = 'resting'
    try {
      const { bytes, isWhole } = await this.#index(document)
      if (!isWhole) entry.state = 'changed'
      this.#dependencies.onIndexed?.((this.#counts.indexed += 1))
      this.#rest(document, entry, Math.max(MIN_REST_MS, bytes / DOCUMENT_BYTES_PER_MS))
      return bytes
    } catch (error) {
      if (this.#isClosed) return 0
      this.#counts.failed += 1
      this.#dependencies.log?.error({ err: error, document }, 'not indexed; it is tried again')
      entry.state = 'changed'
      this.#rest(document, entry, RETRY_MS)
      return 0
    }
  }

  #rest(document: string, entry: Entry, ms: number): void {
    if (this.#isClosed) return
    entry.cancel = this.#dependencies.clock.after(ms, () => {
      this.#entries.delete(document)
      if (entry.state === 'changed') this.onChanged(document)
    })
  }

  async #index(document: string): Promise<{ bytes: number; isWhole: boolean }> {
    const { index, store } = this.#dependencies
    const body = await store.load(document, 'body')
    const comments = await store.load(document, 'comments')
    const packed = [packUpdates(body.updates), packUpdates(comments.updates)] as const
    const bytes = packed[0].bytes.length + packed[1].bytes.length // before a thread takes them
    const text = await this.#readText(document, ...packed)
    const isWhole = await index.write({
      ...text,
      document,
      bodySequence: body.sequence,
      commentsSequence: comments.sequence,
    })
    return { bytes, isWhole }
  }

  /** A text that cannot be read is not found by its words until it changes. */
  async #readText(document: string, body: PackedUpdates, comments: PackedUpdates): Promise<IndexableText> {
    try {
      return await this.#untilClosed(this.#dependencies.readText(body, comments))
    } catch (error) {
      if (this.#isClosed) throw error
      this.#dependencies.log?.warn({ err: error, document }, 'its text cannot be read for the search index')
      return { title: '', passages: [], preview: '', links: [] }
    }
  }

  #pause(ms: number): Promise<void> {
    if (this.#isClosed || ms <= 0) return Promise.resolve()
    return new Promise((resolve) => {
      const end = (): void => {
        cancel()
        this.#ends.delete(end)
        resolve()
      }
      const cancel = this.#dependencies.clock.after(ms, end)
      this.#ends.add(end)
    })
  }

  /** Nobody waits for a thread that reads as the server ends. */
  #untilClosed<Answer>(job: Promise<Answer>): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const end = (): void => reject(new Error('The index of the search is closed'))
      this.#ends.add(end)
      job.then(resolve, reject).finally(() => this.#ends.delete(end))
    })
  }
}
