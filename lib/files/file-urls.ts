/**
 * Addresses by which this page shows files that are on this device. Elements that show the same file share one, and it is revoked after the
 * last of them. Windows of a browser tell each other of new files.
 */
import type { BroadcastChannelLike } from '../broadcast-channel.ts'
import { notifyAll } from '../notify-all.ts'
import type { LocalFile, LocalFiles } from './local-files.ts'

interface SharedUrl {
  users: number
  readonly url: Promise<string | null>
}

export interface FileUrl {
  readonly url: string
  /** Called once, when the element is gone. */
  release(): void
}

export class FileUrls {
  readonly #files: LocalFiles
  readonly #channel: BroadcastChannelLike
  readonly #urls = new Map<string, SharedUrl>()
  readonly #listeners = new Map<string, Set<() => void>>()

  constructor(files: LocalFiles, channel: BroadcastChannelLike) {
    this.#files = files
    this.#channel = channel
    channel.addEventListener('message', ({ data }) => this.#notify(data))
  }

  /** @throws {LocalFilesFull} */
  async add(file: LocalFile): Promise<void> {
    await this.#files.add(file)
    this.#channel.postMessage(file.id)
    this.#notify(file.id)
  }

  /** Null where the file is not on this device. */
  async open(id: string, document: string): Promise<FileUrl | null> {
    const shared = this.#urls.get(id) ?? { users: 0, url: this.#create(id, document) }
    shared.users += 1
    this.#urls.set(id, shared)
    let isOpen = true
    const release = (): void => {
      if (!isOpen) return
      isOpen = false
      this.#release(id, shared)
    }
    const url = await shared.url.catch(() => null) // without a database nothing is on this device
    if (url !== null) return { url, release }
    release()
    return null
  }

  read(id: string, document: string): Promise<LocalFile | undefined> {
    return this.#files.get(id, document)
  }

  /** Calls the listener when a window of this browser has added the file. Returns a function that unsubscribes. */
  onAdded(id: string, listener: () => void): () => void {
    const listeners = this.#listeners.get(id) ?? new Set()
    this.#listeners.set(id, listeners.add(listener))
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0 && this.#listeners.get(id) === listeners) this.#listeners.delete(id)
    }
  }

  async #create(id: string, document: string): Promise<string | null> {
    const file = await this.#files.get(id, document)
    return file ? URL.createObjectURL(file.bytes) : null
  }

  #release(id: string, shared: SharedUrl): void {
    shared.users -= 1
    if (shared.users > 0) return
    if (this.#urls.get(id) === shared) this.#urls.delete(id)
    void shared.url.then(
      (url) => url !== null && URL.revokeObjectURL(url),
      () => undefined,
    )
  }

  #notify(id: unknown): void {
    if (typeof id === 'string') notifyAll([...(this.#listeners.get(id) ?? [])])
  }
}
