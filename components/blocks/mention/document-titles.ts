/**
 * The titles of documents that this person may open, by id: the server leaves out all others. It is asked for several at once, and again
 * when the window gets the focus or the network comes back.
 */
import { api, type DocumentEntry } from '@/components/http-api.ts'
import { shownTitle } from '@/lib/strings/shown-title.ts'
import { runLater } from '@/lib/run-later.ts'
import { Subscribable } from '@/lib/subscribable.ts'

/** The most that the server answers. */
const MAX_IDS = 50

/** A text may mention any number of documents: the others keep their stored names. */
const MAX_DOCUMENTS = 500

/** In ms. What is shown at once is asked for at once. */
const DELAY_MS = 50

/** In ms. */
const STALE_MS = 30_000

type FetchDocuments = (ids: readonly string[]) => Promise<readonly Pick<DocumentEntry, 'id' | 'title'>[]>

export class DocumentTitles {
  readonly #fetch: FetchDocuments
  readonly #titles = new Map<string, string>()
  readonly #asked = new Set<string>()
  readonly #listeners = new Subscribable(
    () => this.#listen(),
    () => this.#stopListening?.abort(),
  )
  #waiting: string[] = []
  #askedAt = 0
  #stopListening: AbortController | undefined

  constructor(fetch: FetchDocuments) {
    this.#fetch = fetch
  }

  readonly subscribe = this.#listeners.subscribe

  /** Undefined until it is known, and for a document that this person may not open. */
  titleOf(id: string): string | undefined {
    this.#request(id)
    return this.#titles.get(id)
  }

  #request(id: string): void {
    if (this.#asked.has(id) || this.#asked.size >= MAX_DOCUMENTS) return
    this.#asked.add(id)
    if (this.#waiting.push(id) === 1) runLater(DELAY_MS, () => void this.#load())
  }

  async #load(): Promise<void> {
    const ids = this.#waiting.slice(0, MAX_IDS)
    this.#askedAt = Date.now()
    // Offline the stored names stay.
    const found = await this.#fetch(ids).catch(() => null)
    this.#waiting = this.#waiting.slice(ids.length)
    if (this.#waiting.length > 0) void this.#load()
    if (!found) return
    for (const id of ids) this.#titles.delete(id)
    for (const { id, title } of found) this.#titles.set(id, shownTitle(title))
    this.#listeners.notify()
  }

  #listen(): void {
    this.#stopListening = new AbortController()
    const { signal } = this.#stopListening
    addEventListener('online', () => this.#askAgain(), { signal })
    addEventListener('focus', () => Date.now() - this.#askedAt > STALE_MS && this.#askAgain(), { signal })
  }

  /** Forgets which titles were asked for; those who show one ask again. */
  #askAgain(): void {
    if (this.#waiting.length > 0) return
    this.#asked.clear()
    this.#listeners.notify()
  }
}

export const documentTitles = new DocumentTitles(async (ids) => await api.findDocuments(ids))
