/**
 * The index as the server has it: opened at the first need, and again after it was lost. The search is an extra, so a server starts and
 * runs without: what fails says `SearchUnavailable` until the next attempt.
 */
import type { Logger } from 'pino'
import type { Clock } from '../../lib/session/clock.ts'
import { ReplyLostError } from '../store/group-commit.ts'
import type { SearchIndex } from './search-index.ts'

/** The index cannot be asked now. */
export class SearchUnavailable extends Error {
  override readonly name = 'SearchUnavailable'
}

export interface LastingSearchIndexOptions {
  /** @param isDamaged Whether what is there is to be replaced. */
  readonly open: (isDamaged: boolean) => Promise<SearchIndex>
  readonly clock: Pick<Clock, 'after'>
  readonly log?: Logger | undefined
}

/** Between two attempts to open it. */
export const REOPEN_MS = 30_000

export class LastingSearchIndex implements SearchIndex {
  readonly #options: LastingSearchIndexOptions
  #index: Promise<SearchIndex> | null = null
  #isDamaged = false
  #isClosed = false
  /** Set while no attempt may be made. */
  #cancelWait: (() => void) | null = null
  /** Called after it was opened again: it may lack everything. */
  onReopened = (): void => {}
  #wasOpened = false

  constructor(options: LastingSearchIndexOptions) {
    this.#options = options
  }

  find: SearchIndex['find'] = (...query) => this.#use((index) => index.find(...query))
  previewsOf: SearchIndex['previewsOf'] = (documents) => this.#use((index) => index.previewsOf(documents))
  findLinking: SearchIndex['findLinking'] = (...query) => this.#use((index) => index.findLinking(...query))
  write: SearchIndex['write'] = (text) => this.#use((index) => index.write(text))
  remove: SearchIndex['remove'] = (document) => this.#use((index) => index.remove(document))
  removeGone: SearchIndex['removeGone'] = () => this.#use((index) => index.removeGone())
  ownerOf: SearchIndex['ownerOf'] = (document) => this.#use((index) => index.ownerOf(document))
  findStale: SearchIndex['findStale'] = (after) => this.#use((index) => index.findStale(after))
  clear: SearchIndex['clear'] = () => this.#use((index) => index.clear())

  async close(): Promise<void> {
    this.#isClosed = true
    this.#cancelWait?.()
    const index = await this.#index?.catch(() => null)
    await index?.close()
  }

  async #use<Answer>(job: (index: SearchIndex) => Promise<Answer>): Promise<Answer> {
    const opening = (this.#index ??= this.#open())
    const index = await opening.catch((error: unknown) => {
      if (this.#index === opening) this.#index = null
      throw error
    })
    try {
      return await job(index)
    } catch (error) {
      const isLost = isDamage(error) || error instanceof ReplyLostError
      if (isLost && this.#index === opening) await this.#drop(index, error)
      throw isLost || this.#index !== opening
        ? new SearchUnavailable('The index of the search was lost', { cause: error })
        : error
    }
  }

  async #open(): Promise<SearchIndex> {
    if (this.#isClosed || this.#cancelWait) throw new SearchUnavailable('The index of the search is not open')
    this.#cancelWait = this.#options.clock.after(REOPEN_MS, () => (this.#cancelWait = null))
    try {
      const index = await this.#options.open(this.#isDamaged)
      this.#isDamaged = false
      if (this.#wasOpened) this.onReopened()
      this.#wasOpened = true
      return index
    } catch (error) {
      this.#options.log?.error({ err: error }, 'the search index cannot be opened; it is tried again')
      throw new SearchUnavailable('The index of the search cannot be opened', { cause: error })
    }
  }

  async #drop(index: SearchIndex, error: unknown): Promise<void> {
    this.#options.log?.error({ err: error }, 'the search index was lost, and is opened again')
    this.#isDamaged ||= isDamage(error)
    // Whoever comes meanwhile waits for the end of the old one.
    const { promise, reject } = Promise.withResolvers<SearchIndex>()
    promise.catch(() => {})
    this.#index = promise
    await index.close().catch(() => {})
    if (this.#index === promise) this.#index = null
    reject(new SearchUnavailable('The index of the search was lost', { cause: error }))
  }
}

/** SQLite says that a file is damaged, or no database. */
export function isDamage(error: unknown): boolean {
  const { errcode } = error as { errcode?: number }
  return errcode !== undefined && [SQLITE_CORRUPT, SQLITE_NOTADB].includes(errcode & 0xff)
}

const SQLITE_CORRUPT = 11
const SQLITE_NOTADB = 26
