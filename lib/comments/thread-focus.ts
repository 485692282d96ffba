/** Holds which comment is active in this window: the panel, the marks in the text and the form for a new comment share it. */
import type * as Y from 'yjs'
import type { ThreadAnchor } from './stored-thread.ts'
import { Subscribable } from '../subscribable.ts'

export interface ThreadFocus {
  /** The thread that is shown. */
  readonly thread: string | null
  /** Where a new comment is being written. */
  readonly draft: ThreadAnchor | null
  /** In which editor of this window that was begun. */
  readonly draftEditor: object | null
}

export class ThreadFocusStore {
  #focus: ThreadFocus = { thread: null, draft: null, draftEditor: null }
  readonly #listeners = new Subscribable()

  get = (): ThreadFocus => this.#focus

  set(change: Partial<ThreadFocus>): void {
    const next = { ...this.#focus, ...change }
    if (next.thread === this.#focus.thread && next.draft === this.#focus.draft) return
    this.#focus = next
    this.#listeners.notify()
  }

  readonly subscribe = this.#listeners.subscribe
}

const storesByDoc = new WeakMap<Y.Doc, ThreadFocusStore>()

/** Returns one for each document. @param text The document's own Y.Doc, so that its comments need not be open. */
export function threadFocusOf(text: Y.Doc): ThreadFocusStore {
  const existing = storesByDoc.get(text)
  if (existing) return existing
  const store = new ThreadFocusStore()
  storesByDoc.set(text, store)
  return store
}
