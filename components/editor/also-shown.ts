/** The documents that a window shows beside the one it is about: its save state speaks of their text, too. */
import type { OpenDocument } from '@/lib/client.ts'
import type { Status } from '@/lib/sync/status.ts'
import { notifyAll } from '@/lib/notify-all.ts'

type Shown = Pick<OpenDocument, 'status'>

class AlsoShown {
  readonly #documents = new Set<Shown>()
  readonly #listeners = new Set<() => void>()
  #statuses: readonly Status[] = []

  /** Returns its undo. */
  add(document: Shown): () => void {
    this.#documents.add(document)
    const stop = document.status.subscribe(this.#changed)
    this.#changed()
    return () => {
      stop()
      this.#documents.delete(document)
      this.#changed()
    }
  }

  /** The same list until one of them changes. */
  get = (): readonly Status[] => this.#statuses

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly #changed = (): void => {
    this.#statuses = [...this.#documents].map(({ status }) => status.get())
    notifyAll(this.#listeners)
  }
}

export const alsoShown = new AlsoShown()
