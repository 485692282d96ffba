/** The documents that a window shows beside its own. Its save state covers their text, too. */
import type { OpenDocument } from '@/lib/client.ts'
import type { SyncStatus } from '@/lib/sync/status.ts'
import { notifyAll } from '@/lib/notify-all.ts'

type DocumentWithStatus = Pick<OpenDocument, 'status'>

class SecondaryDocuments {
  readonly #documents = new Set<DocumentWithStatus>()
  readonly #listeners = new Set<() => void>()
  #statuses: readonly SyncStatus[] = []

  /** Returns a function that removes it. */
  addDocument(document: DocumentWithStatus): () => void {
    this.#documents.add(document)
    const stop = document.status.subscribe(this.#updateStatuses)
    this.#updateStatuses()
    return () => {
      stop()
      this.#documents.delete(document)
      this.#updateStatuses()
    }
  }

  /** Returns the same list until one of them changes. */
  get = (): readonly SyncStatus[] => this.#statuses

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly #updateStatuses = (): void => {
    this.#statuses = [...this.#documents].map(({ status }) => status.get())
    notifyAll(this.#listeners)
  }
}

export const secondaryDocuments = new SecondaryDocuments()
