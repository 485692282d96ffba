/** The search in all documents: the index, and what keeps it up to date. */
import type { Logger } from 'pino'
import { type SearchTerms } from '../../lib/search/search-query.ts'
import type { IndexableText } from '../../lib/search/passage.ts'
import { searchStrings } from '../../lib/strings/search.ts'
import { type Clock, realClock } from '../../lib/session/clock.ts'
import type { Principal } from '../access/principal.ts'
import { FairQueue } from '../fair-queue.ts'
import type { DocumentStore } from '../store/store.ts'
import { WorkerPool } from '../worker-pool.ts'
import type { FoundDocument, SearchIndex, SearchPage } from './search-index.ts'
import { type IndexCounts, SearchIndexer } from './search-indexer.ts'
import type { SearchTextJob } from './search-text-worker.ts'

export interface SearchDependencies {
  readonly index: SearchIndex
  readonly store: Pick<DocumentStore, 'load'>
  readonly log?: Logger
  /** Called with the number of documents that were read so far. */
  readonly onIndexed?: (documents: number) => void
  readonly clock?: Pick<Clock, 'after'>
}

/** A text at its limit takes some 2 s. */
const READ_TIMEOUT_MS = 30_000
const MAX_HEAP_MB = 1_024
/** On PostgreSQL; on SQLite they wait for each other in its thread. */
const CONCURRENT_SEARCHES = 2

/** Of one person, beside the one that is made. */
const MAX_WAITING = 4

export class TooManySearches extends Error {
  override readonly name = 'TooManySearches'
}

export class Search {
  readonly #waiting = new Map<string, Set<object>>()
  readonly #index: SearchIndex
  readonly #queue = new FairQueue(CONCURRENT_SEARCHES)
  readonly #threads = new WorkerPool<SearchTextJob, IndexableText>({
    file: new URL('./search-text-worker.ts', import.meta.url),
    name: 'reading for the search index',
    limitMs: READ_TIMEOUT_MS,
    maxHeapMb: MAX_HEAP_MB,
  })
  readonly indexer: SearchIndexer

  constructor({ index, clock = realClock, ...others }: SearchDependencies) {
    this.#index = index
    this.indexer = new SearchIndexer({
      ...others,
      index,
      clock,
      readText: (body, comments) =>
        this.#threads.run({ body, comments }, [body.bytes.buffer, comments.bytes.buffer]),
    })
  }

  /**
   * Each person's searches wait for each other, and none is made for whoever has gone.
   * @throws {TooManySearches} when a few wait already.
   */
  async find(
    principal: Principal,
    terms: SearchTerms,
    page: SearchPage,
    signal?: AbortSignal,
  ): Promise<FoundDocument[]> {
    const { id } = principal
    const waiting = this.#waiting.get(id) ?? new Set()
    if (waiting.size >= MAX_WAITING) throw new TooManySearches(searchStrings.tooMany)
    const search = {}
    const leave = (): void => {
      if (waiting.delete(search) && waiting.size === 0) this.#waiting.delete(id)
    }
    this.#waiting.set(id, waiting.add(search))
    signal?.addEventListener('abort', leave, { once: true })
    return this.#queue.run(id, async () => {
      signal?.removeEventListener('abort', leave)
      leave()
      signal?.throwIfAborted()
      return this.#index.find(principal, terms, page)
    })
  }

  previewsOf: SearchIndex['previewsOf'] = (documents) => this.#index.previewsOf(documents)

  /** What leads to a document, of what the person may read. */
  findLinking: SearchIndex['findLinking'] = (...query) => this.#index.findLinking(...query)

  /** Its text leaves the index. */
  remove(document: string): Promise<void> {
    return this.#index.remove(document)
  }

  /** Writes everything anew. Returns once it is done, with the number of documents, and of those that could not be loaded. */
  async rebuild(): Promise<IndexCounts> {
    await this.#index.clear()
    await this.indexer.sweep()
    await this.indexer.whenIdle()
    return this.indexer.counts
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }

  async close(): Promise<void> {
    await this.indexer.close()
    await this.#index.close()
  }
}

/** Has the index follow what is committed. */
export const withChangesNoted = (
  store: DocumentStore,
  onChanged: (document: string) => void,
): DocumentStore => ({
  ...store,
  async append(edits) {
    const sequences = await store.append(edits)
    let last: string | undefined
    for (const { document, part } of edits) {
      if (part !== 'desk' && document !== last) onChanged(document)
      last = document
    }
    return sequences
  },
})
