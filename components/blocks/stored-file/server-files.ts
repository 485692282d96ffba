/**
 * Asks the server about files that something on screen misses, for as long as it does: less and less often, and once for all files of a
 * document. This module knows no element.
 */
import { fetchJson } from '@/components/http-api.ts'
import { notifyAll } from '@/lib/notify-all.ts'
import { runLater } from '@/lib/run-later.ts'

export type ServerFile =
  | { readonly state: 'there' }
  | { readonly state: 'arriving'; readonly percent: number; readonly by: string }
  | { readonly state: 'missing' }
  /** Nobody answered, or not as somebody who may read it. */
  | { readonly state: 'unknown' }

interface FileListing {
  readonly files: readonly { readonly id: string }[]
  readonly uploads: readonly {
    readonly id: string
    readonly bytes: number
    readonly received: number
    readonly uploadedBy: { readonly name: string }
  }[]
}

type FileListener = (file: ServerFile) => void

/** In ms. A file that somebody has just added is soon there; one that is on a device without a network may be days away. */
const FIRST_DELAY_MS = 1_000
const LAST_DELAY_MS = 60_000

const watched = new Map<string, WatchedDocument>()

/** Returns a function that stops. */
export function watchServerFile(document: string, file: string, listener: FileListener): () => void {
  const entry = watched.get(document) ?? new WatchedDocument(document)
  watched.set(document, entry)
  return entry.watch(file, listener)
}

class WatchedDocument {
  readonly #document: string
  readonly #listeners = new Map<FileListener, string>()
  readonly #stop = new AbortController()
  #delayMs = FIRST_DELAY_MS
  #former = ''
  #cancelAsk = (): void => {}

  constructor(document: string) {
    this.#document = document
    addEventListener('online', () => this.#askSoon(), { signal: this.#stop.signal })
  }

  watch(file: string, listener: FileListener): () => void {
    this.#listeners.set(listener, file)
    this.#askSoon()
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size > 0 || this.#stop.signal.aborted) return
      this.#stop.abort()
      this.#cancelAsk()
      watched.delete(this.#document)
    }
  }

  /** Asks once for all elements that are drawn together. */
  #askSoon(): void {
    this.#delayMs = FIRST_DELAY_MS
    this.#askAfter(0)
  }

  #askAfter(ms: number): void {
    this.#cancelAsk()
    this.#cancelAsk = runLater(ms, () => void this.#ask())
  }

  async #ask(): Promise<void> {
    const { signal } = this.#stop
    const path = `/documents/${encodeURIComponent(this.#document)}/files`
    const listing = await fetchJson<FileListing>(path, signal).catch(() => null)
    if (signal.aborted) return
    const now = JSON.stringify(listing?.uploads ?? null)
    this.#delayMs = now === this.#former ? Math.min(LAST_DELAY_MS, 1.5 * this.#delayMs) : FIRST_DELAY_MS
    this.#former = now
    this.#askAfter(this.#delayMs)
    for (const [listener, file] of this.#listeners) notifyAll([listener], fileIn(listing, file))
  }
}

function fileIn(listing: FileListing | null, file: string): ServerFile {
  if (!listing) return { state: 'unknown' }
  if (listing.files.some(({ id }) => id === file)) return { state: 'there' }
  const upload = listing.uploads.find(({ id }) => id === file)
  if (!upload) return { state: 'missing' }
  const percent = Math.floor((100 * upload.received) / Math.max(1, upload.bytes))
  return { state: 'arriving', percent, by: upload.uploadedBy.name }
}
