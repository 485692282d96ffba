/** Searches plain words on the spot, which takes milliseconds, and a regular expression in a worker with a time limit. */
import { findMatches, type SearchResult, patternOf, type SearchQuery } from '@/lib/text/find.ts'
import type { SearchFunction } from '@/lib/text/finder.ts'
import type { RegexSearchResponse, RegexSearchRequest } from './regex-worker.ts'
import { findSearchStrings } from '@/lib/strings/find-search.ts'

/** An expression that needs this long for a megabyte would never be done with ten. */
const SEARCH_TIMEOUT_MS = 1_500

interface PendingSearch {
  readonly texts: readonly string[]
  readonly query: SearchQuery
  resolve(found: SearchResult): void
  reject(error: Error): void
  stopTimer(): void
}

export const searchTexts: SearchFunction = (texts, query) => {
  const pattern = patternOf(query)
  if (!pattern) return { matches: [], complete: true }
  return query.regularExpression ? searchInWorker(texts, query) : findMatches(texts, pattern)
}

const searchInWorker = (texts: readonly string[], query: SearchQuery): Promise<SearchResult> =>
  (workerClient ??= new RegexWorkerClient()).search(texts, query)

let workerClient: RegexWorkerClient | undefined

class RegexWorkerClient {
  readonly #worker = new Worker(new URL('./regex-worker.ts', import.meta.url), { type: 'module' })
  readonly #ready: Promise<void>
  readonly #pending = new Map<number, PendingSearch>()
  #lastRun = 0

  constructor() {
    this.#ready = new Promise((resolve, reject) => {
      this.#worker.addEventListener('message', ({ data }: MessageEvent<RegexSearchResponse>) => {
        resolve()
        this.#onResponse(data)
      })
      this.#worker.addEventListener('error', () => {
        const error = new Error(findSearchStrings.notLoaded)
        reject(error)
        this.#rejectAll(error)
      })
    })
  }

  /** The time for loading the worker's script does not count. */
  async search(texts: readonly string[], query: SearchQuery): Promise<SearchResult> {
    await this.#ready
    const run = ++this.#lastRun
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#onTimeout(), SEARCH_TIMEOUT_MS)
      this.#pending.set(run, { texts, query, resolve, reject, stopTimer: () => clearTimeout(timer) })
      this.#worker.postMessage({ run, texts, query } satisfies RegexSearchRequest)
    })
  }

  #onResponse({ run, found }: RegexSearchResponse): void {
    const pendingSearch = this.#pending.get(run)
    if (!pendingSearch || !found) return
    this.#pending.delete(run)
    pendingSearch.stopTimer()
    pendingSearch.resolve(found)
  }

  /** Stops a search that may never end. The searches after it get another worker. */
  #onTimeout(): void {
    const [first, ...waitingSearches] = this.#terminate()
    first?.reject(new Error(findSearchStrings.tooLong))
    for (const { texts, query, resolve, reject } of waitingSearches)
      searchInWorker(texts, query).then(resolve, reject)
  }

  #rejectAll(error: Error): void {
    for (const { reject } of this.#terminate()) reject(error)
  }

  /** @returns The searches that were still waiting, the running one first. */
  #terminate(): PendingSearch[] {
    if (workerClient === this) workerClient = undefined
    this.#worker.terminate()
    const pendingSearches = [...this.#pending.values()]
    for (const { stopTimer } of pendingSearches) stopTimer()
    this.#pending.clear()
    return pendingSearches
  }
}
