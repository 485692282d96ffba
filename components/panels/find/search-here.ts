/** Plain words are searched on the spot, which takes milliseconds; a regular expression in a worker, and not for long. */
import { findIn, type Found, patternOf, type Query } from '@/lib/text/find.ts'
import type { Search } from '@/lib/text/finder.ts'
import type { Answered, Asked } from './regex-worker'
import { strings } from '@/lib/strings/find-search.ts'

/** One that looks at a megabyte for so long would look at ten for the rest of the day. */
const PATIENCE_MS = 1_500

interface Waiting {
  readonly texts: readonly string[]
  readonly query: Query
  resolve(found: Found): void
  reject(error: Error): void
  stopTimer(): void
}

export const searchHere: Search = (texts, query) => {
  const pattern = patternOf(query)
  if (!pattern) return { matches: [], complete: true }
  return query.regularExpression ? askWorker(texts, query) : findIn(texts, pattern)
}

const askWorker = (texts: readonly string[], query: Query): Promise<Found> =>
  (regexSearch ??= new RegexSearch()).ask(texts, query)

let regexSearch: RegexSearch | undefined

class RegexSearch {
  readonly #worker = new Worker(new URL('./regex-worker.ts', import.meta.url), { type: 'module' })
  readonly #ready: Promise<void>
  readonly #waiting = new Map<number, Waiting>()
  #runs = 0

  constructor() {
    this.#ready = new Promise((resolve, reject) => {
      this.#worker.addEventListener('message', ({ data }: MessageEvent<Answered>) => {
        resolve()
        this.#answered(data)
      })
      this.#worker.addEventListener('error', () => {
        const error = new Error(strings.notLoaded)
        reject(error)
        this.#giveUp(error)
      })
    })
  }

  /** The time that its script takes to come does not count. */
  async ask(texts: readonly string[], query: Query): Promise<Found> {
    await this.#ready
    const run = ++this.#runs
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#leave(), PATIENCE_MS)
      this.#waiting.set(run, { texts, query, resolve, reject, stopTimer: () => clearTimeout(timer) })
      this.#worker.postMessage({ run, texts, query } satisfies Asked)
    })
  }

  #answered({ run, found }: Answered): void {
    const waiting = this.#waiting.get(run)
    if (!waiting || !found) return
    this.#waiting.delete(run)
    waiting.stopTimer()
    waiting.resolve(found)
  }

  /** It is in the middle of a search that may never end. Those behind it are another worker's. */
  #leave(): void {
    const [first, ...others] = this.#end()
    first?.reject(new Error(strings.tooLong))
    for (const { texts, query, resolve, reject } of others) askWorker(texts, query).then(resolve, reject)
  }

  #giveUp(error: Error): void {
    for (const { reject } of this.#end()) reject(error)
  }

  /** @returns What was still waiting, the one it is at first. */
  #end(): Waiting[] {
    if (regexSearch === this) regexSearch = undefined
    this.#worker.terminate()
    const waiting = [...this.#waiting.values()]
    for (const { stopTimer } of waiting) stopTimer()
    this.#waiting.clear()
    return waiting
  }
}
