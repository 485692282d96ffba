/** What of the comments this window is at: the panel, the marks in the text and the form for a new one agree on it. */
import type * as Y from 'yjs'
import type { Anchor } from './thread.ts'
import { notifyAll } from '../notify-all.ts'

export interface Attention {
  /** The thread that is looked at. */
  readonly thread: string | null
  /** Where a new comment is being written. */
  readonly draft: Anchor | null
}

export class AttentionStore {
  #now: Attention = { thread: null, draft: null }
  readonly #listeners = new Set<() => void>()

  get = (): Attention => this.#now

  set(part: Partial<Attention>): void {
    const next = { ...this.#now, ...part }
    if (next.thread === this.#now.thread && next.draft === this.#now.draft) return
    this.#now = next
    notifyAll(this.#listeners)
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}

const known = new WeakMap<Y.Doc, AttentionStore>()

/** One for each document. @param text The document's own, so that its comments need not be open. */
export function attentionTo(text: Y.Doc): AttentionStore {
  const before = known.get(text)
  if (before) return before
  const attention = new AttentionStore()
  known.set(text, attention)
  return attention
}
