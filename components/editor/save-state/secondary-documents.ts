/** The documents that a window shows beside its own. Its save state covers their text, too. */
import type { OpenDocument } from '@/lib/client.ts'
import type { SyncStatus } from '@/lib/sync/status.ts'
import { Subscribable } from '@/lib/subscribable.ts'

type DocumentWithStatus = Pick<OpenDocument, 'status'>

class SecondaryDocuments {
  readonly #documents = new Set<DocumentWithStatus>()
  readonly #listeners = new Subscribable()
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

  readonly subscribe = this.#listeners.subscribe

  readonly #updateStatuses = (): void => {
    this.#statuses = [...this.#documents].map(({ status }) => status.get())
    this.#listeners.notify()
  }
}

export const secondaryDocuments = new SecondaryDocuments()
